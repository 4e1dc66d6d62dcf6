package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.Refusals;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves lanes forward on their primaries. Where a primary can't be written, is late, or its
 * position is not what the lane remembers, the lane is left behind its copies, and nothing else
 * happens.
 */
final class LaneWriter {
  private static final Logger LOG = LoggerFactory.getLogger(LaneWriter.class);

  private final Topology topology;
  private final PrimaryWriter writer;
  private final RefusedRecords refused;
  private final PendingWork work;
  private final Lanes lanes;

  LaneWriter(
      Topology topology,
      PrimaryWriter writer,
      RefusedRecords refused,
      PendingWork work,
      Lanes lanes) {
    this.topology = topology;
    this.writer = writer;
    this.refused = refused;
    this.work = work;
    this.lanes = lanes;
  }

  /**
   * Begins to write a primary's cells of a batch, on the lanes that are not behind.
   *
   * @param beforeCommit called when the rows are written; what it throws undoes them
   */
  void start(StorageCluster primary, Batch batch, Runnable beforeCommit) {
    var writes = new LinkedHashMap<Lane, Write>();
    for (int partition : batch.partitions()) {
      var lane = lanes.of(primary, partition);
      write(lane, batch).ifPresent(write -> writes.put(lane, write));
    }
    start(primary, writes, refused.among(batch), beforeCommit);
  }

  /** Where the positions of lanes without new cells may go: to where the topics were read. */
  Map<Lane, Position> idle(BiFunction<IngestTopic, Integer, Mark> ends) {
    var idle = new LinkedHashMap<Lane, Position>();
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
  void advance(Map<Lane, Position> idle, Duration patience) {
    for (var primary : topology.clusters()) {
      var writes = new LinkedHashMap<Lane, Write>();
      idle.forEach(
          (lane, next) -> {
            if (lane.primary().equals(primary) && lane.positionKnown() && lane.claims(next)) {
              writes.put(lane, new Write(lane.partition(), lane.stored(), next, Map.of()));
            }
          });
      start(primary, writes, refused.among(Batch.NONE), () -> {});
    }
    work.await(patience);
  }

  /** Reads the positions of lanes; one that can't be read in time stays unknown for now. */
  void readPositions(Collection<Lane> unknown, Duration patience) {
    for (var primary : topology.clusters()) {
      var asked = new HashMap<Integer, Lane>();
      unknown.stream()
          .filter(lane -> lane.primary().equals(primary))
          .forEach(lane -> asked.put(lane.partition(), lane));
      if (!asked.isEmpty() && !work.busy(primary)) {
        work.start(
            primary,
            () -> writer.positions(primary, List.copyOf(asked.keySet())),
            found ->
                found.ifPresent(at -> at.forEach((p, position) -> asked.get(p).found(position))));
      }
    }
    work.await(patience);
  }

  private void start(
      StorageCluster primary, Map<Lane, Write> writes, Refusals refusals, Runnable beforeCommit) {
    if (!writes.isEmpty() && !work.busy(primary)) {
      work.start(
          primary,
          () -> writer.write(primary, List.copyOf(writes.values()), refusals, beforeCommit),
          result -> heard(primary, writes, result));
    }
  }

  /**
   * Tells lanes how their transaction ended; of one that is not known they forget where they are.
   */
  private static void heard(
      StorageCluster primary, Map<Lane, Write> writes, Optional<Result> result) {
    if (result.isEmpty()) {
      writes.keySet().forEach(Lane::forgetPosition);
    } else if (result.get() instanceof Result.Moved moved) {
      LOG.warn("positions of {} are not what this task remembers; looking again", primary.name());
      writes.keySet().stream()
          .filter(lane -> moved.found().containsKey(lane.partition()))
          .forEach(lane -> lane.found(moved.found().get(lane.partition())));
    } else {
      writes.forEach((lane, write) -> lane.found(write.next()));
    }
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
