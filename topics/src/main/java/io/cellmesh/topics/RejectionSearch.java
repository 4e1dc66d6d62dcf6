package io.cellmesh.topics;

import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Looks in {@code trips.rejected} for the reason why one record was refused a short while ago. */
public final class RejectionSearch {
  private static final Duration POLL = Duration.ofMillis(50);

  private final KafkaAccess kafka;
  private final Topics topics;

  public RejectionSearch(KafkaAccess kafka, Topics topics) {
    this.kafka = kafka;
    this.topics = topics;
  }

  /**
   * Waits until the reason is told.
   *
   * @param partition of the record in {@code trips.cells}
   * @param since before which it can't have been told, by the brokers' clock
   * @param within how long to wait
   * @return empty if it was not told by then
   * @throws KafkaException if the brokers don't answer, or there is no such topic
   */
  public Optional<String> reason(int partition, long offset, Instant since, Duration within) {
    long end = System.nanoTime() + within.toNanos();
    try (var consumer = Consumers.open(kafka)) {
      seek(consumer, since);
      while (System.nanoTime() - end < 0) {
        for (var record : consumer.poll(POLL)) {
          if (isOf(record, partition, offset)) {
            return Optional.of(
                HeaderText.of(record.headers(), HeaderText.CONNECT_MESSAGE).orElse("not said"));
          }
        }
      }
      return Optional.empty();
    }
  }

  private void seek(Consumer<byte[], byte[]> consumer, Instant since) {
    var ends = TopicOffsets.of(consumer, topics.rejected());
    var times = new HashMap<TopicPartition, Long>();
    for (int partition = 0; partition < ends.partitions(); partition++) {
      times.put(ends.partition(partition), since.toEpochMilli());
    }
    consumer.assign(times.keySet());
    consumer
        .offsetsForTimes(times)
        .forEach(
            (at, found) ->
                consumer.seek(at, found == null ? ends.end(at.partition()) : found.offset()));
  }

  private boolean isOf(ConsumerRecord<byte[], byte[]> record, int partition, long offset) {
    return is(record, HeaderText.CONNECT_TOPIC, topics.cells())
        && is(record, HeaderText.CONNECT_PARTITION, Integer.toString(partition))
        && is(record, HeaderText.CONNECT_OFFSET, Long.toString(offset));
  }

  private static boolean is(ConsumerRecord<byte[], byte[]> record, String header, String text) {
    return Objects.equals(HeaderText.of(record.headers(), header).orElse(null), text);
  }
}
