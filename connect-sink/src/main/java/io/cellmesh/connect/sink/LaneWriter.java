package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.Primaries.Started;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Position;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves lanes forward on their primaries. Where a primary can't be written, does not answer in
 * time, or its position is not what the lane remembers, the lane is left behind its copies, and
 * nothing else happens.
 */
final class LaneWriter {
  private static final Logger LOG = LoggerFactory.getLogger(LaneWriter.class);

  private final Topology topology;
  private final PrimaryWriter writer;
  private final Primaries primaries;
  private final Lanes lanes;

  LaneWriter(Topology topology, PrimaryWriter writer, Primaries primaries, Lanes lanes) {
    this.topology = topology;
    this.writer = writer;
    this.primaries = primaries;
    this.lanes = lanes;
  }

  /** A transaction that was begun on a primary; {@link LaneWriter#finish} looks how it ended. */
  record Pending(List<Write> writes, Started<Optional<Result>> started) {}

  /**
   * Begins to write a primary's cells of a batch, on the lanes that are not behind.
   *
   * @param beforeCommit called when the rows are written; what it throws undoes them
   */
  Optional<Pending> start(StorageCluster primary, Batch batch, Runnable beforeCommit) {
    var writes = new ArrayList<Write>();
    for (int partition : batch.partitions()) {
      write(lanes.of(primary, partition), batch).ifPresent(writes::add);
    }
    return start(primary, writes, beforeCommit);
  }

  /** Where the positions of lanes without new cells may go: to where the topics were read. */
  Map<Lane, Position> idle(BiFunction<IngestTopic, Integer, Mark> ends) {
    var idle = new HashMap<Lane, Position>();
    for (var primary : topology.clusters()) {
      for (var lane : lanes.of(primary)) {
        for (var topic : IngestTopic.values()) {
          var end = ends.apply(topic, lane.partition());
          if (end != null && lane.upToDate(topic) && end.next() > lane.stored().of(topic)) {
            idle.put(lane, idle.getOrDefault(lane, lane.stored()).with(topic, end));
          }
        }
      }
    }
    return idle;
  }

  /** Takes the positions of idle lanes along, as far as copies say so that outlive a promotion. */
  void advance(Map<Lane, Position> idle, long deadline) {
    var pending = new ArrayList<Pending>();
    for (var primary : topology.clusters()) {
      var writes = new ArrayList<Write>();
      idle.forEach(
          (lane, next) -> {
            if (lane.primary().equals(primary) && lane.positionKnown() && lane.claims(next)) {
              writes.add(new Write(lane.partition(), lane.stored(), next, Map.of()));
            }
          });
      start(primary, writes, () -> {}).ifPresent(pending::add);
    }
    pending.forEach(one -> finish(one, deadline));
  }

  /** Reads the positions of lanes; one that can't be read in time stays unknown. */
  void readPositions(Collection<Lane> unknown, long deadline) {
    var started = new ArrayList<Started<Optional<Map<Integer, Position>>>>();
    for (var primary : topology.clusters()) {
      var partitions =
          unknown.stream().filter(l -> l.primary().equals(primary)).map(Lane::partition).toList();
      if (!partitions.isEmpty() && !primaries.busy(primary)) {
        started.add(primaries.start(primary, () -> writer.positions(primary, partitions)));
      }
    }
    for (var one : started) {
      var found = one.await(deadline);
      if (found != null) {
        found.ifPresent(
            positions -> positions.forEach((p, at) -> lanes.of(one.primary(), p).found(at)));
      }
    }
  }

  /** Waits for a transaction, and tells its lanes. */
  void finish(Pending pending, long deadline) {
    var primary = pending.started().primary();
    var result = pending.started().await(deadline);
    if (result != null && result.isPresent()) {
      if (result.get() instanceof Result.Moved moved) {
        LOG.warn("positions of {} are not what this task remembers; looking again", primary.name());
        moved.found().forEach((partition, at) -> lanes.of(primary, partition).found(at));
      } else {
        pending.writes().forEach(w -> lanes.of(primary, w.partition()).found(w.next()));
      }
      return;
    }
    if (result == null) {
      LOG.warn("primary {} does not answer in time; the others go on without it", primary.name());
      writer.suspect(primary);
    }
    pending.writes().forEach(w -> lanes.of(primary, w.partition()).forgetPosition());
  }

  private Optional<Pending> start(
      StorageCluster primary, List<Write> writes, Runnable beforeCommit) {
    return writes.isEmpty() || primaries.busy(primary)
        ? Optional.empty()
        : Optional.of(
            new Pending(
                writes,
                primaries.start(primary, () -> writer.write(primary, writes, beforeCommit))));
  }

  private Optional<Write> write(Lane lane, Batch batch) {
    var cells = new EnumMap<IngestTopic, List<OffsetCell>>(IngestTopic.class);
    Position next = lane.stored();
    for (var range : batch.rangesOf(lane.partition())) {
      var topic = range.topic();
      if (lane.readyForBatch(topic)) {
        var fresh = range.cells(lane.primary().name(), lane.applied(topic));
        if (!fresh.isEmpty()) {
          cells.put(topic, fresh);
          next = next.with(topic, range.end());
        }
      }
    }
    return cells.isEmpty()
        ? Optional.empty()
        : Optional.of(new Write(lane.partition(), lane.stored(), next, cells));
  }
}
