package io.cellmesh.operations.conflict;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.conflict.ConflictDetail.RefusedValue;
import io.cellmesh.storage.ConflictListing.Entry;
import io.cellmesh.storage.ConflictListing.Found;
import io.cellmesh.storage.RefusedRecord;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.HeaderText;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Looks for a refused record: in the ledger, which has it until it is told; at its offset in its
 * topic, while that retains it; and among the rejected records of the minutes in which it was told.
 */
final class RefusedRecordSearch {
  /** As far as the clocks of MySQL and Kafka may be apart. */
  private static final Duration AROUND = Duration.ofMinutes(2);

  /** Of a partition of the rejected records; what is told in some minutes is far less. */
  private static final long MOST_RECORDS = 50_000;

  private final DataCenter datacenter;

  RefusedRecordSearch(DataCenter datacenter) {
    this.datacenter = datacenter;
  }

  /** Finds it, or says why not; what can't be asked is no failure. */
  RefusedValue of(Found found) {
    if (found.record().isPresent()) {
      return new RefusedValue("in the ledger", found.record().map(RefusedRecord::value));
    }
    try (var client = Consumers.open(datacenter.kafka())) {
      var record = ingested(client, found.entry());
      return record.isPresent() ? record.get() : rejected(client, found.entry());
    } catch (KafkaException | OperationException e) {
      return new RefusedValue("can't be looked for: " + e.getMessage(), Optional.empty());
    }
  }

  private Optional<RefusedValue> ingested(KafkaConsumer<byte[], byte[]> client, Entry entry) {
    var topics = datacenter.topology().topics();
    var topic = entry.topic().of(topics);
    if (!entry.topicId().equals(IngestTopicIds.of(datacenter.kafka(), topics).get(topic))) {
      return Optional.empty();
    }
    var offsets = TopicOffsets.of(client, topic);
    long offset = entry.offset();
    if (offset < offsets.begin(entry.partition()) || offset >= offsets.end(entry.partition())) {
      return Optional.empty();
    }
    var read = new AtomicReference<RefusedValue>();
    new PartitionReader(client)
        .read(
            offsets.partition(entry.partition()),
            offset,
            offset + 1,
            record ->
                read.set(
                    new RefusedValue(
                        "%s-%d@%d".formatted(topic, entry.partition(), offset),
                        Optional.ofNullable(record.value()))));
    return Optional.ofNullable(read.get());
  }

  private RefusedValue rejected(KafkaConsumer<byte[], byte[]> client, Entry entry) {
    var topic = datacenter.topology().topics().rejected();
    if (entry.toldAt().isEmpty()) {
      return new RefusedValue("is neither in the ledger nor in its topic", Optional.empty());
    }
    var offsets = TopicOffsets.of(client, topic);
    var begin = offsetsAt(client, offsets, entry.toldAt().get().minus(AROUND));
    var end = offsetsAt(client, offsets, entry.toldAt().get().plus(AROUND));
    var found = new AtomicReference<RefusedValue>();
    for (int partition = 0; partition < offsets.partitions() && found.get() == null; partition++) {
      var at = offsets.partition(partition);
      new PartitionReader(client)
          .read(
              at,
              begin.get(at),
              Math.min(end.get(at), begin.get(at) + MOST_RECORDS),
              record -> {
                if (isOf(record, entry)) {
                  found.set(
                      new RefusedValue(
                          "%s@%d".formatted(at, record.offset()),
                          Optional.ofNullable(record.value())));
                }
              });
    }
    return found.get() != null
        ? found.get()
        : new RefusedValue(
            "is neither in its topic nor in %s any more".formatted(topic), Optional.empty());
  }

  /** The first offset of each partition from some time on; its end if there is none. */
  private static HashMap<TopicPartition, Long> offsetsAt(
      KafkaConsumer<byte[], byte[]> client, TopicOffsets offsets, Instant time) {
    var times = new HashMap<TopicPartition, Long>();
    for (int partition = 0; partition < offsets.partitions(); partition++) {
      times.put(offsets.partition(partition), time.toEpochMilli());
    }
    var found = new HashMap<TopicPartition, Long>();
    client
        .offsetsForTimes(times)
        .forEach(
            (at, first) ->
                found.put(at, first == null ? offsets.end(at.partition()) : first.offset()));
    return found;
  }

  private boolean isOf(ConsumerRecord<byte[], byte[]> record, Entry entry) {
    return is(record, HeaderText.CONNECT_TOPIC, entry.topic().of(datacenter.topology().topics()))
        && is(record, HeaderText.CONNECT_PARTITION, Integer.toString(entry.partition()))
        && is(record, HeaderText.CONNECT_OFFSET, Long.toString(entry.offset()));
  }

  private static boolean is(ConsumerRecord<byte[], byte[]> record, String header, String text) {
    return Objects.equals(HeaderText.of(record.headers(), header).orElse(null), text);
  }
}
