package io.cellmesh.topics;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Reads stretches of partitions, record by record. */
public final class PartitionReader {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration STALLED = Duration.ofSeconds(30);

  private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> client;

  public PartitionReader(org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> client) {
    this.client = client;
  }

  /**
   * Hands every record that a topic had to the consumer, one partition after another.
   *
   * @throws KafkaException if no record comes for half a minute
   */
  public void read(TopicOffsets topic, Consumer<ConsumerRecord<byte[], byte[]>> consumer) {
    for (int number = 0; number < topic.partitions(); number++) {
      read(topic.partition(number), topic.begin(number), topic.end(number), consumer);
    }
  }

  /**
   * Hands every record from {@code from} up to, and without, {@code end} to the consumer.
   *
   * @throws KafkaException if no record comes for half a minute
   */
  public void read(
      TopicPartition partition,
      long from,
      long end,
      Consumer<ConsumerRecord<byte[], byte[]>> consumer) {
    readWhile(() -> true, partition, from, end, consumer);
  }

  /**
   * Does the same where records may go meanwhile: by retention, or since they are deleted once they
   * are secured. It goes on with the first that is left.
   *
   * @return whether records went before they were read
   * @throws KafkaException if no record comes for half a minute, or the partition has lost its end:
   *     it is another one
   */
  public boolean readRetained(
      TopicPartition partition,
      long from,
      long end,
      Consumer<ConsumerRecord<byte[], byte[]>> consumer) {
    boolean gone = false;
    long position = from;
    while (position < end) {
      try {
        position = readWhile(() -> true, partition, position, end, consumer);
      } catch (OffsetOutOfRangeException e) {
        long begin = client.beginningOffsets(List.of(partition)).get(partition);
        long lost = e.offsetOutOfRangePartitions().get(partition);
        if (begin <= lost) {
          throw new KafkaException(
              "%s no longer has offset %d, though it ended at %d a moment ago: the topic was created anew, or its broker lost records. Run this again to read what there is now"
                  .formatted(partition, lost, end),
              e);
        }
        position = begin;
        gone = true;
      }
    }
    return gone;
  }

  /**
   * Hands records from {@code from} up to, and without, {@code end} to the consumer, as long as
   * there is to be more of them.
   *
   * @param more asked each time that some offsets were passed
   * @return where to read on: before it nothing is left out
   * @throws KafkaException if no record comes for half a minute
   */
  public long readWhile(
      BooleanSupplier more,
      TopicPartition partition,
      long from,
      long end,
      Consumer<ConsumerRecord<byte[], byte[]>> consumer) {
    client.assign(List.of(partition));
    client.seek(partition, from);
    long position = from;
    long movedAt = System.nanoTime();
    while (position < end) {
      for (var record : client.poll(POLL).records(partition)) {
        if (record.offset() < end) {
          consumer.accept(record);
        }
      }
      long next = client.position(partition);
      if (next > position) {
        movedAt = System.nanoTime();
        position = next;
        if (!more.getAsBoolean()) {
          break;
        }
      } else if (System.nanoTime() - movedAt > STALLED.toNanos()) {
        throw new KafkaException(
            "%s: no record after offset %d for %d s, of %d"
                .formatted(partition, position, STALLED.toSeconds(), end));
      }
    }
    return Math.min(position, end);
  }
}
