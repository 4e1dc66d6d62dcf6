package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.ModelledCluster.HeldCopy;
import io.cellmesh.storage.IngestTopic;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Both topics of one partition number, the clusters, and a Connect worker that drives a {@link
 * ModelledSink} as WorkerSinkTask of Kafka 4.3 does: a delivery that failed comes again, seeks that
 * were asked for are applied before the next poll, and what a commit leaves out is committed as it
 * was last known.
 */
final class ModelledWorld {
  private static final int PARTITION = 3;

  private final Topology topology;
  private final SinkMetrics metrics;
  private final Random random;

  /**
   * Either these or a retention that follows the committed offset: an owner that begins behind a
   * marker can't tell it from records that expired.
   */
  private final boolean transactions;

  private final Map<IngestTopic, SortedSet<Long>> produced = new EnumMap<>(IngestTopic.class);
  final Map<TopicPartition, ModelledTopic> topics = new LinkedHashMap<>();
  final List<ModelledCluster> clusters = new ArrayList<>();
  private ModelledSink sink;
  private List<SinkRecord> redelivered = List.of();

  ModelledWorld(Topology topology, SinkMetrics metrics, long seed) {
    this.topology = topology;
    this.metrics = metrics;
    this.random = new Random(seed);
    this.transactions = seed % 2 == 0;
    for (var kind : IngestTopic.values()) {
      var at = new TopicPartition(kind.of(topology.topics()), PARTITION);
      topics.put(at, new ModelledTopic(kind, at));
      produced.put(kind, new TreeSet<>());
    }
    int count = topology.clusters().size();
    for (int i = 0; i < count; i++) {
      clusters.add(new ModelledCluster(topology.clusters().get(i), i, count));
    }
    newOwner(random.nextInt(30));
  }

  void newOwner(int failures) {
    sink = new ModelledSink(topology, topics, clusters, metrics, random, failures);
    redelivered = List.of();
    topics.values().forEach(ModelledTopic::assign);
  }

  void step() {
    switch (random.nextInt(24)) {
      case 0, 1, 2, 3, 4 -> produce(anyTopic(), 1 + random.nextInt(12));
      case 5 -> anyCluster().up ^= true;
      case 6 -> clusters.forEach(cluster -> cluster.up = true);
      case 7, 8 -> replicate();
      case 9 -> promote();
      case 10 -> zombie();
      case 11 -> expire();
      case 12 -> {
        if (random.nextInt(3) == 0) {
          newOwner(random.nextInt(30));
        }
      }
      case 13, 14 -> commit();
      default -> iterate();
    }
    check();
  }

  void produce(ModelledTopic topic, int count) {
    long before = topic.end;
    topic.produce(count, transactions, random);
    produced.get(topic.kind).addAll(topic.records.tailMap(before).keySet());
  }

  void iterate() {
    topics.values().forEach(ModelledTopic::applyRewind);
    var records = new ArrayList<>(redelivered);
    if (records.isEmpty()) {
      topics.values().forEach(topic -> records.addAll(topic.poll(random.nextInt(25))));
    }
    try {
      sink.put(records);
      redelivered = List.of();
      records.forEach(r -> topics.get(at(r)).delivered(r.kafkaOffset() + 1));
    } catch (RetriableException e) {
      redelivered = records;
    }
  }

  void commit() {
    var seen = new HashMap<TopicPartition, Long>();
    topics.forEach((at, topic) -> seen.put(at, topic.current()));
    var proven = sink.secured(seen);
    topics.forEach((at, topic) -> topic.commit(proven.get(at)));
  }

  /** Everything is well from now on: whatever was produced must end in the tables. */
  void settle() {
    clusters.forEach(cluster -> cluster.up = true);
    newOwner(0);
    for (int i = 0; i < 40; i++) {
      iterate();
      commit();
      check();
    }
    for (var topic : topics.values()) {
      for (var cluster : clusters) {
        assertThat(cluster.entity.get(topic.kind))
            .as("cells of %s of %s", topic.at, cluster.cluster.name())
            .isEqualTo(owned(cluster, topic.kind, Long.MAX_VALUE));
      }
      var cells = produced.get(topic.kind);
      assertThat(topic.committed)
          .as("committed of %s", topic.at)
          .isGreaterThanOrEqualTo(cells.isEmpty() ? 0 : cells.last() + 1);
    }
  }

  private void check() {
    for (var topic : topics.values()) {
      for (var cluster : clusters) {
        long position = cluster.position.of(topic.kind);
        if (!cluster.entity.get(topic.kind).equals(owned(cluster, topic.kind, position))) {
          throw new AssertionError(
              "%s is at %d of %s without all cells"
                  .formatted(cluster.cluster.name(), position, topic.at));
        }
        for (long offset : owned(cluster, topic.kind, topic.committed)) {
          if (!cluster.holds(topic.kind, offset)) {
            throw new AssertionError(
                "%d of %s is committed and not secured for %s: %d"
                    .formatted(topic.committed, topic.at, cluster.cluster.name(), offset));
          }
        }
      }
    }
  }

  private SortedSet<Long> owned(ModelledCluster cluster, IngestTopic topic, long below) {
    var owned = new TreeSet<>(produced.get(topic).headSet(below));
    owned.removeIf(offset -> !cluster.owns(offset));
    return owned;
  }

  private void expire() {
    if (!transactions) {
      topics.values().forEach(topic -> topic.expire(topic.committed - 1));
    }
  }

  private void replicate() {
    var cluster = anyCluster();
    if (cluster.up) {
      cluster.replicate();
    }
  }

  private void promote() {
    if (random.nextInt(3) == 0) {
      anyCluster().promote();
    }
  }

  /** An earlier owner that was believed dead ends what it had begun: a copy, and a transaction. */
  private void zombie() {
    var cluster = anyCluster();
    var topic = anyTopic();
    var others = clusters.stream().filter(other -> other != cluster).toList();
    var records = new ArrayList<>(topic.records.tailMap(cluster.position.of(topic.kind)).values());
    long position = cluster.position.of(topic.kind);
    if (records.isEmpty() || !cluster.up || topic.start > position) {
      return;
    }
    var some = records.subList(0, 1 + random.nextInt(Math.min(5, records.size())));
    var end = topic.markAfter(some.get(some.size() - 1));
    var cells = owned(cluster, topic.kind, end.next()).tailSet(position);
    cluster.copies.add(
        new HeldCopy(others.get(random.nextInt(others.size())), topic.kind, position, end, cells));
    cluster.write(
        cluster.position, cluster.position.with(topic.kind, end), Map.of(topic.kind, cells));
  }

  ModelledTopic anyTopic() {
    return new ArrayList<>(topics.values()).get(random.nextInt(topics.size()));
  }

  private ModelledCluster anyCluster() {
    return clusters.get(random.nextInt(clusters.size()));
  }

  private static TopicPartition at(SinkRecord record) {
    return new TopicPartition(record.topic(), record.kafkaPartition());
  }
}
