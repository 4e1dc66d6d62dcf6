package io.cellmesh.deployment;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.SeedMark;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The topic in which a data centre has its own cells for one that joins: in each partition a mark,
 * the cells as the log has them, those of a shard in the order of their added_ids, and a mark.
 *
 * @param kafka that has it
 * @param topic its name
 */
public record SeedTopic(KafkaAccess kafka, String topic) {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration STALLED = Duration.ofSeconds(30);

  /** How far before its end the last record of a partition is looked for first. */
  private static final int LOOK_BACK = 8;

  /**
   * Looks at both ends of each partition.
   *
   * @return empty if there is no such topic
   * @throws MissingRightException if it may not be looked at
   * @throws KafkaException if Kafka does not answer, or a record is neither mark nor cell
   */
  public Optional<Seed> read() throws InterruptedException {
    var id = id();
    if (id.isEmpty()) {
      return Optional.empty();
    }
    try (var consumer = consumer()) {
      var infos = consumer.partitionsFor(topic);
      var all =
          IntStream.range(0, infos.size()).mapToObj(p -> new TopicPartition(topic, p)).toList();
      var begins = consumer.beginningOffsets(all);
      var ends = consumer.endOffsets(all);
      var parts = new ArrayList<Seed.Part>();
      for (var at : all) {
        parts.add(part(consumer, at, begins.get(at), ends.get(at)));
      }
      return Optional.of(new Seed(id.get(), parts));
    } catch (TopicAuthorizationException e) {
      throw MissingRightException.of(kafka, "Read", "topic " + topic, e);
    }
  }

  /** A consumer of what is written for good; it belongs to no group. */
  public KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        kafka.reader(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** The mark that a record is; empty if it is a cell. */
  public static Optional<SeedMark> mark(ConsumerRecord<byte[], byte[]> record) {
    return record.key() != null || record.value() == null
        ? Optional.empty()
        : SeedMark.parse(new String(record.value(), StandardCharsets.UTF_8));
  }

  private Optional<RememberedLog> id() throws InterruptedException {
    try (var admin = Admin.create(kafka.admin())) {
      var described = describe(admin);
      if (described.isEmpty()) {
        return Optional.empty();
      }
      var cluster = admin.describeCluster().clusterId().get();
      return Optional.of(new RememberedLog(cluster, described.get().topicId().toString()));
    } catch (ExecutionException e) {
      throw new KafkaException("%s: %s".formatted(kafka, e.getCause().getMessage()), e.getCause());
    }
  }

  private Optional<TopicDescription> describe(Admin admin) throws InterruptedException {
    try {
      return Optional.of(admin.describeTopics(Set.of(topic)).topicNameValues().get(topic).get());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      if (e.getCause() instanceof TopicAuthorizationException refusal) {
        throw MissingRightException.of(kafka, "Read", "topic " + topic, refusal);
      }
      throw new KafkaException(
          "%s at %s: %s".formatted(topic, kafka, e.getCause().getMessage()), e.getCause());
    }
  }

  private Seed.Part part(
      KafkaConsumer<byte[], byte[]> consumer, TopicPartition at, long begin, long end) {
    var found = new Ends();
    read(
        consumer,
        at,
        begin,
        end,
        record -> {
          found.first = record;
          return false;
        });
    for (long from = end, back = LOOK_BACK; found.last == null && from > begin; back *= LOOK_BACK) {
      from = Math.max(begin, end - back);
      read(
          consumer,
          at,
          from,
          end,
          record -> {
            found.last = record;
            return true;
          });
    }
    return found.part(at.partition(), begin, end);
  }

  /** The records at both ends of a partition. */
  private static final class Ends {
    private ConsumerRecord<byte[], byte[]> first;
    private ConsumerRecord<byte[], byte[]> last;

    Seed.Part part(int partition, long begin, long end) {
      if (first == null) {
        return new Seed.Part(partition, Optional.empty(), false, Optional.empty(), begin, end);
      }
      var mark =
          mark(first)
              .orElseThrow(
                  () ->
                      new KafkaException(
                          "%s-%d begins with no mark; it is no seed"
                              .formatted(first.topic(), partition)));
      var lastMark = mark(last);
      return new Seed.Part(
          partition,
          Optional.of(mark.log()),
          lastMark.filter(SeedMark::end).isPresent(),
          lastMark.isPresent() ? Optional.empty() : Optional.of(cell(last)),
          begin,
          end);
    }
  }

  private static LogRecord cell(ConsumerRecord<byte[], byte[]> record) {
    try (var reader = EnvelopeReader.lenient()) {
      return reader.readLog(record.key(), record.value());
    } catch (InvalidCellException e) {
      throw new KafkaException(
          "%s-%d: record %d is no cell: %s"
              .formatted(record.topic(), record.partition(), record.offset(), e.getMessage()),
          e);
    }
  }

  /**
   * @param reader says whether to go on
   */
  private static void read(
      KafkaConsumer<byte[], byte[]> consumer,
      TopicPartition at,
      long from,
      long end,
      Predicate<ConsumerRecord<byte[], byte[]>> reader) {
    consumer.assign(List.of(at));
    consumer.seek(at, from);
    long movedAt = System.nanoTime();
    for (long position = from; position < end; position = consumer.position(at)) {
      for (var record : consumer.poll(POLL).records(at)) {
        if (record.offset() < end && !reader.test(record)) {
          return;
        }
      }
      if (consumer.position(at) > position) {
        movedAt = System.nanoTime();
      } else if (System.nanoTime() - movedAt > STALLED.toNanos()) {
        throw new KafkaException("%s: no record for %d s".formatted(at, STALLED.toSeconds()));
      }
    }
  }
}
