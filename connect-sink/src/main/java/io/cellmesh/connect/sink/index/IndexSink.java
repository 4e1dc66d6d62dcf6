package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.index.MisfitException;
import io.cellmesh.connect.sink.base.DaemonThreads;
import io.cellmesh.connect.sink.base.Held;
import io.cellmesh.connect.sink.base.Original;
import io.cellmesh.connect.sink.base.PrimaryExecutor;
import io.cellmesh.connect.sink.base.Rejections;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * A task's core: each batch of entries becomes one transaction a cluster, all clusters at once.
 *
 * <p>A master that is away delays nobody: offsets are held back at the first entry that it lacks,
 * and when it answers the topic is read again from there. What the others get twice by then changes
 * nothing.
 *
 * <p>Called by one thread.
 */
final class IndexSink implements AutoCloseable {
  /** Longest wait for a master while others could go on. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final EntryDecoder decoder;
  private final Rejections rejections;
  private final IndexSinkMetrics metrics;
  private final Held held;
  private final Map<String, ClusterWriter> writers = new LinkedHashMap<>();
  private final Map<TopicPartition, PartitionProgress> partitions = new HashMap<>();
  private final WaitingReport report;

  private IndexSink(
      IndexSinkConfig config, Rejections rejections, IndexSinkMetrics metrics, Held held) {
    this.decoder = new EntryDecoder(config.topology(), config.indexes());
    this.rejections = rejections;
    this.metrics = metrics;
    this.held = held;
    this.report = new WaitingReport(config.labels(), metrics);
    var pools = new Pools(config.credentials(), config.mysql().withMultiStatements());
    var nodes = held.add(new Nodes(pools));
    var primaries = new PrimaryExecutor(held.add(new DaemonThreads("cellmesh-index-sink")));
    var tables = new Tables(config.topology(), config.indexes(), pools);
    for (var cluster : config.topology().clusters()) {
      writers.put(
          cluster.name(),
          new ClusterWriter(
              cluster,
              nodes.of(cluster.master()),
              primaries,
              tables,
              rejections,
              metrics,
              config.retryBackoff()));
    }
  }

  /**
   * Starts a task's core, which takes over what it is given. What it has begun ends again if it
   * fails.
   *
   * @throws ConnectException if a reachable master lacks an index's tables or has another
   *     definition's
   */
  static IndexSink start(IndexSinkConfig config, Rejections rejections, IndexSinkMetrics metrics) {
    var held = new Held();
    held.add(metrics);
    held.add(rejections);
    try {
      var sink = new IndexSink(config, rejections, metrics, held);
      sink.writers.values().forEach(ClusterWriter::check);
      return sink;
    } catch (RuntimeException | Error e) {
      held.closeAfter(e);
      throw e;
    }
  }

  /**
   * Writes what is well-formed to the clusters that take it, rejects what is not, and says where to
   * read on for those that lack something.
   *
   * @param seek told where a partition is to be read from; takes effect before the next poll
   * @return whether something waits, so that this should be called again soon
   * @throws ConnectException for what only a person can mend
   */
  boolean put(Collection<SinkRecord> records, Consumer<Map<TopicPartition, Long>> seek) {
    writers.values().forEach(ClusterWriter::settle);
    var ready = ready();
    var batches = new TreeMap<String, EntryBatch>();
    byPartition(records).forEach((at, some) -> sort(at, some, ready, batches));
    batches.forEach((cluster, batch) -> writers.get(cluster).start(batch));
    long deadline = PrimaryExecutor.deadline(PATIENCE);
    batches.keySet().forEach(cluster -> writers.get(cluster).await(deadline));
    turn(records.isEmpty(), seek);
    return report.tell(writers.values(), partitions.values());
  }

  /**
   * The offsets up to which everything is in the tables or with the dead letters.
   *
   * @param seen the offsets after the last records that {@link #put} took
   * @throws RetriableException if Kafka has not taken all dead letters yet
   */
  Map<TopicPartition, OffsetAndMetadata> committable(Map<TopicPartition, OffsetAndMetadata> seen) {
    rejections.await();
    var offsets = new HashMap<>(seen);
    offsets.replaceAll(
        (at, offset) -> {
          var progress = partitions.get(at);
          return progress == null
              ? offset
              : new OffsetAndMetadata(progress.committable(offset.offset()));
        });
    return offsets;
  }

  /** Forgets partitions: their next owner begins at the committed offsets. */
  void forget(Collection<TopicPartition> lost) {
    partitions.keySet().removeAll(lost);
  }

  @Override
  public void close() {
    held.close();
  }

  private Set<String> ready() {
    return writers.values().stream()
        .filter(ClusterWriter::ready)
        .map(ClusterWriter::name)
        .collect(Collectors.toSet());
  }

  private static Map<TopicPartition, List<SinkRecord>> byPartition(Collection<SinkRecord> records) {
    return records.stream().collect(Collectors.groupingBy(Original::partitionOf));
  }

  private void sort(
      TopicPartition at,
      List<SinkRecord> records,
      Set<String> ready,
      Map<String, EntryBatch> batches) {
    long first = records.get(0).originalKafkaOffset();
    var progress =
        partitions.computeIfAbsent(at, partition -> new PartitionProgress(writers.keySet(), first));
    var span = progress.read(first, records.get(records.size() - 1).originalKafkaOffset() + 1);
    var lacking = new HashSet<String>();
    for (var record : records) {
      boolean again = progress.seenBefore(record.originalKafkaOffset());
      try {
        if (!again || lacks(progress, decoder.cluster(record), record)) {
          var entry = decoder.read(record);
          lacking.add(entry.cluster());
          if (ready.contains(entry.cluster()) && progress.follows(entry.cluster(), span)) {
            batches
                .computeIfAbsent(entry.cluster(), cluster -> new EntryBatch())
                .add(progress, span, entry, record);
          }
        }
      } catch (MisfitException e) {
        if (!again) {
          rejections.reject(record, e);
          metrics.rejected();
        }
      }
    }
    writers.keySet().stream()
        .filter(cluster -> !lacking.contains(cluster))
        .forEach(cluster -> progress.wrote(cluster, span));
    progress.seen();
  }

  private static boolean lacks(PartitionProgress progress, String cluster, SinkRecord record) {
    return progress.lacks(cluster, record.originalKafkaOffset());
  }

  private void turn(boolean quiet, Consumer<Map<TopicPartition, Long>> seek) {
    var ready = ready();
    long now = System.nanoTime();
    partitions.forEach(
        (at, progress) ->
            progress.turn(
                ready::contains,
                now,
                quiet,
                offset -> {
                  seek.accept(Map.of(at, offset));
                  if (!progress.atHead()) {
                    metrics.rewound();
                  }
                }));
  }
}
