package io.cellmesh.topics;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Reads the log of an instance: its newest records, all of them, or those that come. */
public final class LogTail implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int FIRST_WINDOW = 64;

  private final Consumer<byte[], byte[]> client;
  private final EnvelopeReader envelopes = EnvelopeReader.passing();
  private final LogOffsets log;
  private final List<TopicPartition> partitions;
  private final Filter filter;

  /** What is wanted of the log. */
  public record Filter(Optional<String> column, Optional<Integer> shard)
      implements Predicate<LogRecord> {
    public static final Filter ALL = new Filter(Optional.empty(), Optional.empty());

    @Override
    public boolean test(LogRecord record) {
      return column.map(c -> c.equals(record.cell().key().columnName())).orElse(true)
          && shard.map(s -> s == record.shard()).orElse(true);
    }
  }

  /** Begins behind the log's present end. */
  public LogTail(Consumer<byte[], byte[]> client, Topology topology, Filter filter) {
    this.client = client;
    this.filter = filter;
    this.log = LogOffsets.of(client, topology);
    this.partitions =
        filter
            .shard()
            .map(shard -> List.of(log.shape().of(topology, shard)))
            .orElseGet(log::partitions);
    client.assign(partitions);
    partitions.forEach(p -> client.seek(p, log.end().get(p)));
  }

  /** Goes to the first retained record. */
  public void rewind() {
    partitions.forEach(p -> client.seek(p, log.begin().get(p)));
  }

  /** Whether everything that was there at the beginning has been read. */
  public boolean atFirstEnd() {
    return partitions.stream().allMatch(p -> client.position(p) >= log.end().get(p));
  }

  /** What came since the last call, or nothing after a moment. */
  public List<LogRecord> poll() {
    var records = new ArrayList<LogRecord>();
    for (var record : client.poll(POLL)) {
      var read = read(record);
      if (filter.test(read)) {
        records.add(read);
      }
    }
    return records;
  }

  /** The newest records that were there at the beginning, oldest first. */
  public List<LogRecord> newest(int count) {
    var found = new ArrayList<LogRecord>();
    for (var partition : partitions) {
      found.addAll(newest(partition, count));
    }
    found.sort(Comparator.comparing(LogRecord::createdAt).thenComparing(LogRecord::addedId));
    client.assign(partitions);
    partitions.forEach(p -> client.seek(p, log.end().get(p)));
    return List.copyOf(found.subList(Math.max(0, found.size() - count), found.size()));
  }

  @Override
  public void close() {
    envelopes.close();
  }

  /** Looks back further and further until enough is found. */
  private List<LogRecord> newest(TopicPartition partition, int count) {
    long begin = log.begin().get(partition);
    long end = log.end().get(partition);
    long window = Math.max(FIRST_WINDOW, 2L * count);
    while (true) {
      long from = Math.max(begin, end - window);
      var found = new ArrayList<LogRecord>();
      new PartitionReader(client)
          .read(
              partition,
              from,
              end,
              record -> {
                var read = read(record);
                if (filter.test(read)) {
                  found.add(read);
                }
              });
      if (found.size() >= count || from == begin) {
        return found.subList(Math.max(0, found.size() - count), found.size());
      }
      window *= 4;
    }
  }

  private LogRecord read(ConsumerRecord<byte[], byte[]> record) {
    try {
      return envelopes.readLog(record.key(), record.value());
    } catch (InvalidCellException e) {
      throw new KafkaException(
          "%s-%d@%d is no cell: %s"
              .formatted(record.topic(), record.partition(), record.offset(), e.getMessage()));
    }
  }
}
