package io.cellmesh.operations.trigger;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.ReadPlace;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Finds the first cell that waits in each partition: where none is but markers, nothing waits. */
final class FirstWaiting {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration POLL = Duration.ofMillis(200);

  private final Consumer<byte[], byte[]> client;

  FirstWaiting(Consumer<byte[], byte[]> client) {
    this.client = client;
  }

  /**
   * The first cell that is not finished.
   *
   * @param age since it was created, by the clocks of MySQL and of this process
   */
  record Waiting(long offset, Duration age) {}

  /** By the partition's number; without those where nothing waits. */
  Map<Integer, Waiting> of(List<ReadPlace> places) {
    var open = new HashMap<TopicPartition, ReadPlace>();
    for (var place : places) {
      if (from(place) < place.end()) {
        open.put(new TopicPartition(place.topic(), place.partition()), place);
      }
    }
    var found = new HashMap<Integer, Waiting>();
    client.assign(open.keySet());
    open.forEach((partition, place) -> client.seek(partition, from(place)));
    long begun = System.nanoTime();
    while (!open.isEmpty()) {
      for (var record : poll()) {
        var place = open.get(new TopicPartition(record.topic(), record.partition()));
        if (place != null
            && record.offset() < place.end()
            && !found.containsKey(record.partition())) {
          found.put(record.partition(), new Waiting(record.offset(), age(record)));
        }
      }
      open.entrySet()
          .removeIf(
              of ->
                  found.containsKey(of.getKey().partition())
                      || client.position(of.getKey()) >= of.getValue().end());
      // What was found is not read on.
      client.assign(open.keySet());
      if (System.nanoTime() - begun > PATIENCE.toNanos() && !open.isEmpty()) {
        throw new KafkaException(
            "%s: no record within %d s"
                .formatted(open.keySet().iterator().next(), PATIENCE.toSeconds()));
      }
    }
    return found;
  }

  /** Goes on at the first record that is left where retention has taken a place meanwhile. */
  private ConsumerRecords<byte[], byte[]> poll() {
    try {
      return client.poll(POLL);
    } catch (OffsetOutOfRangeException e) {
      client.seekToBeginning(e.partitions());
      return ConsumerRecords.empty();
    }
  }

  /** Behind what has expired; from the first that there is, where nobody knows. */
  private static long from(ReadPlace place) {
    return Math.max(place.begin(), place.committed().orElse(place.begin()));
  }

  private static Duration age(ConsumerRecord<byte[], byte[]> record) {
    var age = Duration.between(createdAt(record), Instant.now());
    return age.isNegative() ? Duration.ZERO : age;
  }

  private static Instant createdAt(ConsumerRecord<byte[], byte[]> record) {
    try (var envelopes = EnvelopeReader.lenient()) {
      return envelopes.readLog(record.key(), record.value()).createdAt();
    } catch (InvalidCellException e) {
      return Instant.ofEpochMilli(record.timestamp());
    }
  }
}
