package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.CatchUp.LaneGap;
import io.cellmesh.connect.sink.ModelledCluster.HeldCopy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Position;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * A sink task without I/O: its own {@link Lanes}, {@link GapHandler} and {@link OffsetContinuity},
 * and the steps of {@link CellSink}, {@link LaneWriter}, {@link CopySender} and {@link CatchUp}
 * over modelled clusters, any of which may fail at any step.
 */
final class ModelledSink {
  private final Map<TopicPartition, ModelledTopic> topics;
  private final List<ModelledCluster> clusters;
  private final Random random;
  private final int failures;
  private final Lanes lanes;
  private final GapHandler gapHandler;

  /** What is going on on primaries that are late: done when it is heard of, or before. */
  private final Map<ModelledCluster, Runnable> pending = new HashMap<>();

  private final List<LaneGap> gaps = new ArrayList<>();

  /**
   * @param failures of a hundred steps
   */
  ModelledSink(
      Topology topology,
      Map<TopicPartition, ModelledTopic> topics,
      List<ModelledCluster> clusters,
      SinkMetrics metrics,
      Random random,
      int failures) {
    this.topics = topics;
    this.clusters = clusters;
    this.random = random;
    this.failures = failures;
    this.lanes = new Lanes(topology);
    this.gapHandler =
        new GapHandler(topology, new OffsetContinuity(at -> topics.get(at).start), lanes, metrics);
  }

  void put(List<SinkRecord> records) {
    var rewinds = new HashMap<TopicPartition, Long>();
    hear();
    try {
      write(records, rewinds);
      gapHandler.keep();
    } catch (RetriableException e) {
      gapHandler.undo();
      throw e;
    }
    takeOver();
    clusters.forEach(this::catchUp);
    hear();
    gaps.stream()
        .filter(gap -> waitsInVain(gap.lane(), gap.topic()))
        .forEach(gap -> gapHandler.rewind(gap, rewinds::putAll));
    gaps.clear();
    gapHandler.resume(rewinds::putAll);
    rewinds.forEach((at, offset) -> topics.get(at).ask(offset));
  }

  Map<TopicPartition, Long> secured(Map<TopicPartition, Long> seen) {
    hear();
    seen.forEach(gapHandler::stands);
    readPositions();
    for (var cluster : clusters) {
      for (var lane : lanes.of(cluster.cluster)) {
        var idle = idle(lane);
        extend(cluster, lane);
        advance(cluster, lane, idle);
      }
    }
    var secured = new HashMap<TopicPartition, Long>();
    seen.forEach(
        (at, offset) -> secured.put(at, gapHandler.secured(at, topics.get(at).kind, offset)));
    return secured;
  }

  /** Does something on a primary, now or, if it is late, until some later call. */
  private void onPrimary(ModelledCluster cluster, Runnable work) {
    if (!pending.containsKey(cluster)) {
      pending.put(cluster, work);
      if (random.nextInt(100) >= failures) {
        pending.remove(cluster).run();
      }
    }
  }

  private void hear() {
    for (var cluster : clusters) {
      if (pending.containsKey(cluster) && random.nextBoolean()) {
        pending.remove(cluster).run();
      }
    }
  }

  private void write(List<SinkRecord> records, Map<TopicPartition, Long> rewinds) {
    int from = 0;
    do {
      int to = from + Math.min(records.size() - from, 1 + random.nextInt(8));
      readPositions();
      var batch =
          gapHandler.judge(
              ranges(records.subList(from, to)).without(rewinds.keySet()), rewinds::putAll);
      if (!batch.ranges().isEmpty()) {
        write(batch);
        gapHandler.seen(batch);
      }
      from = to;
    } while (from < records.size());
  }

  private void write(Batch batch) {
    for (var range : batch.ranges()) {
      for (var lane : lanes.ofPartition(range.partition())) {
        if (!lane.begun(range.topic())) {
          lane.begin(range.topic(), range.first());
        }
        lane.startBatch(range.topic());
      }
    }
    boolean failed = false;
    for (var cluster : clusters) {
      var lane = lanes.of(cluster.cluster, partition());
      var copied = copy(cluster, lane, batch);
      failed |= copied == null;
      writePrimary(cluster, lane, batch, copied);
    }
    if (failed) {
      throw new RetriableException("no secondary");
    }
  }

  /**
   * Writes copies, of which the lane hears when its transaction has ended.
   *
   * @return null if no secondary took them
   */
  private Runnable copy(ModelledCluster cluster, Lane lane, Batch batch) {
    var secondary = secondary(cluster);
    var copied = new ArrayList<Runnable>();
    for (var range : batch.ranges()) {
      var cells = cells(cluster, range, lane.copied(range.topic()));
      if (!cells.isEmpty() && secondary == null) {
        return null;
      }
      if (!cells.isEmpty()) {
        cluster.copies.add(
            new HeldCopy(secondary, range.topic(), lane.copied(range.topic()), range.end(), cells));
        copied.add(() -> lane.copied(range.topic(), range.end().next()));
      }
    }
    return () -> copied.forEach(Runnable::run);
  }

  private void writePrimary(ModelledCluster cluster, Lane lane, Batch batch, Runnable copied) {
    var next = lane.stored();
    var cells = new EnumMap<IngestTopic, SortedSet<Long>>(IngestTopic.class);
    for (var range : batch.ranges()) {
      var topic = range.topic();
      if (lane.readyForBatch(topic)) {
        var fresh = cells(cluster, range, lane.applied(topic));
        if (!fresh.isEmpty()) {
          cells.put(topic, fresh);
          next = next.with(topic, range.end());
        }
      }
    }
    var expected = lane.stored();
    var reached = next;
    if (copied != null) {
      copied.run();
    }
    if (!cells.isEmpty()) {
      onPrimary(
          cluster, () -> transaction(cluster, lane, expected, reached, cells, copied != null));
    }
  }

  private void transaction(
      ModelledCluster cluster,
      Lane lane,
      Position expected,
      Position next,
      Map<IngestTopic, SortedSet<Long>> cells,
      boolean copied) {
    boolean lost = fails();
    boolean committed =
        copied
            && cluster.up
            && !(lost && random.nextBoolean())
            && cluster.write(expected, next, cells);
    if (lost || !copied || !cluster.up) {
      lane.forgetPosition();
    } else {
      // Heard of some time later, when another may have moved it, or a promotion.
      lane.found(committed ? next : cluster.position);
    }
  }

  private void readPositions() {
    for (var cluster : clusters) {
      for (var lane : lanes.ofPartition(partition())) {
        if (lane.primary().equals(cluster.cluster)
            && !lane.positionKnown()
            && cluster.up
            && !fails()) {
          onPrimary(cluster, () -> lane.found(cluster.position));
        }
      }
    }
  }

  private Position idle(Lane lane) {
    var next = lane.stored();
    for (var topic : IngestTopic.values()) {
      var end = gapHandler.end(topic, lane.partition());
      if (end != null && lane.upToDate(topic) && end.next() > next.of(topic)) {
        next = next.with(topic, end);
      }
    }
    return next;
  }

  private void advance(ModelledCluster cluster, Lane lane, Position next) {
    if (!lane.positionKnown() || next.equals(lane.stored()) || !lane.claims(next) || fails()) {
      return;
    }
    var expected = lane.stored();
    onPrimary(cluster, () -> transaction(cluster, lane, expected, next, Map.of(), true));
  }

  private void extend(ModelledCluster cluster, Lane lane) {
    for (var topic : IngestTopic.values()) {
      var end = gapHandler.end(topic, lane.partition());
      var secondary = secondary(cluster);
      if (end != null
          && secondary != null
          && lane.inOrder(topic)
          && lane.copied(topic) < end.next()) {
        cluster.copies.add(
            new HeldCopy(secondary, topic, lane.copied(topic), end, new TreeSet<>()));
        lane.copied(topic, end.next());
      }
    }
  }

  private void takeOver() {
    for (var cluster : clusters) {
      for (var lane : lanes.ofPartition(partition())) {
        cluster.copies.stream()
            .filter(copy -> lane.primary().equals(cluster.cluster) && copy.holder().up)
            .forEach(copy -> lane.left(copy.topic(), copy.end().next()));
      }
    }
  }

  private void catchUp(ModelledCluster cluster) {
    for (var lane : lanes.of(cluster.cluster)) {
      for (var topic : IngestTopic.values()) {
        if (cluster.up && lane.target(topic).isPresent() && !fails()) {
          long target = lane.target(topic).getAsLong();
          onPrimary(cluster, () -> replay(cluster, lane, topic, target));
        }
      }
    }
  }

  private void replay(ModelledCluster cluster, Lane lane, IngestTopic topic, long target) {
    if (!cluster.up) {
      lane.forgetPosition();
      return;
    }
    boolean gap = false;
    while (!gap && cluster.position.of(topic) < target) {
      var copy = cluster.next(topic);
      gap = copy == null;
      if (copy != null) {
        var cells = new TreeSet<>(copy.cells().tailSet(cluster.position.of(topic)));
        cluster.write(
            cluster.position, cluster.position.with(topic, copy.end()), Map.of(topic, cells));
      }
    }
    lane.found(cluster.position);
    if (gap) {
      gaps.add(new LaneGap(lane, topic));
    }
  }

  private static boolean waitsInVain(Lane lane, IngestTopic topic) {
    return lane.positionKnown()
        && lane.target(topic).isPresent()
        && !lane.stuck(topic)
        && !lane.rewinding(topic);
  }

  private ModelledCluster secondary(ModelledCluster primary) {
    var others = clusters.stream().filter(other -> other != primary && other.up).toList();
    return others.isEmpty() || fails() ? null : others.get(random.nextInt(others.size()));
  }

  private SortedSet<Long> cells(ModelledCluster cluster, Batch.Range range, long from) {
    var cells = new TreeSet<Long>();
    for (var record : range.records()) {
      if (record.kafkaOffset() >= from && cluster.owns(record.kafkaOffset())) {
        cells.add(record.kafkaOffset());
      }
    }
    return cells;
  }

  private Batch ranges(Collection<SinkRecord> records) {
    var ranges = new HashMap<TopicPartition, Batch.Range>();
    for (var record : records) {
      var at = new TopicPartition(record.topic(), record.kafkaPartition());
      ranges.computeIfAbsent(at, a -> new Batch.Range(a, topics.get(a).kind)).seen(record);
    }
    return new Batch(new ArrayList<>(ranges.values()), records);
  }

  private int partition() {
    return topics.keySet().iterator().next().partition();
  }

  private boolean fails() {
    return random.nextInt(100) < failures;
  }
}
