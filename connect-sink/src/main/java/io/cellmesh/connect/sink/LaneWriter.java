package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.PrimaryWriter.Result;
import io.cellmesh.connect.sink.PrimaryWriter.Write;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Position;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves lanes forward on their primaries. Where a primary can't be written, or its position is not
 * what the lane remembers, the lane is left behind its copies, and nothing else happens.
 */
final class LaneWriter {
  private static final Logger LOG = LoggerFactory.getLogger(LaneWriter.class);
  private static final int ATTEMPTS = 3;

  private final PrimaryWriter writer;
  private final Lanes lanes;

  LaneWriter(PrimaryWriter writer, Lanes lanes) {
    this.writer = writer;
    this.lanes = lanes;
  }

  /** Writes a primary's cells of a batch, on the lanes that are not behind. */
  void write(StorageCluster primary, Batch batch) {
    var partitions = batch.ranges().stream().map(Batch.Range::partition).distinct().toList();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      var writes = new ArrayList<Write>();
      for (int partition : partitions) {
        write(lanes.of(primary, partition), batch).ifPresent(writes::add);
      }
      if (writes.isEmpty() || commit(primary, writes) != Committed.POSITION_MOVED) {
        return;
      }
    }
  }

  /** Takes the positions of lanes without new cells along to where the topics were read. */
  void advance(StorageCluster primary, Map<IngestTopic, Map<Integer, Long>> ends) {
    var writes = new ArrayList<Write>();
    for (var lane : lanes.of(primary)) {
      var next = lane.stored();
      for (var topic : IngestTopic.values()) {
        var end = ends.getOrDefault(topic, Map.of()).get(lane.partition());
        if (end != null && upToDate(lane, topic) && end > next.of(topic)) {
          next = next.with(topic, end);
        }
      }
      if (lane.positionKnown() && !next.equals(lane.stored())) {
        writes.add(new Write(lane.partition(), lane.stored(), next, Map.of()));
      }
    }
    if (!writes.isEmpty()) {
      commit(primary, writes);
    }
  }

  /** Applies what a copy has and the primary lacks. Says whether the lane moved. */
  boolean apply(Lane lane, Copy copy) {
    long from = lane.applied(copy.topic());
    var cells = copy.cells().stream().filter(cell -> cell.offset() >= from).toList();
    var next = lane.stored().with(copy.topic(), copy.next());
    var write = new Write(lane.partition(), lane.stored(), next, Map.of(copy.topic(), cells));
    return commit(lane.primary(), List.of(write)) == Committed.YES;
  }

  /** Reads the positions of lanes; one that can't be read stays unknown. */
  void readPositions(StorageCluster primary, List<Lane> fresh) {
    if (fresh.isEmpty()) {
      return;
    }
    try {
      var found = writer.positions(primary, fresh.stream().map(Lane::partition).toList());
      fresh.forEach(lane -> lane.found(found.get(lane.partition())));
    } catch (NodeUnavailableException e) {
      LOG.warn("primary {} can't be read: {}", primary.name(), e.getMessage());
    } catch (SQLException e) {
      throw fatal(primary, e);
    }
  }

  private Optional<Write> write(Lane lane, Batch batch) {
    if (!lane.positionKnown()) {
      return Optional.empty();
    }
    var cells = new EnumMap<IngestTopic, List<OffsetCell>>(IngestTopic.class);
    Position next = lane.stored();
    for (var range : batch.rangesOf(lane.partition())) {
      var topic = range.topic();
      if (!lane.readyForBatch(topic)) {
        continue;
      }
      var fresh = range.cells(lane.primary().name(), lane.applied(topic));
      if (!fresh.isEmpty()) {
        cells.put(topic, fresh);
        next = next.with(topic, range.next());
      }
    }
    return cells.isEmpty()
        ? Optional.empty()
        : Optional.of(new Write(lane.partition(), lane.stored(), next, cells));
  }

  private static boolean upToDate(Lane lane, IngestTopic topic) {
    return lane.positionKnown()
        && lane.begun(topic)
        && !lane.behind(topic)
        && !lane.rewinding(topic);
  }

  private Committed commit(StorageCluster primary, List<Write> writes) {
    try {
      var result = writer.write(primary, writes);
      if (result instanceof Result.Moved moved) {
        LOG.warn("positions of {} are not what this task remembers; looking again", primary.name());
        writes.forEach(
            w -> lanes.of(primary, w.partition()).found(moved.found().get(w.partition())));
        return Committed.POSITION_MOVED;
      }
      writes.forEach(w -> lanes.of(primary, w.partition()).applied(w.next()));
      return Committed.YES;
    } catch (NodeUnavailableException e) {
      LOG.warn(
          "primary {} can't be written, its cells wait in the buffers: {}",
          primary.name(),
          e.getMessage());
    } catch (SQLException e) {
      if (MySqlErrors.verdict(e) != MySqlErrors.Verdict.CONTENTION) {
        throw fatal(primary, e);
      }
      LOG.warn(
          "locks on primary {} are held by another; its cells wait in the buffers", primary.name());
    }
    writes.forEach(w -> lanes.of(primary, w.partition()).forgetPosition());
    return Committed.NO;
  }

  private static ConnectException fatal(StorageCluster primary, SQLException e) {
    return new ConnectException(
        "primary %s (%s): %s".formatted(primary.name(), primary.master().address(), e.getMessage()),
        e);
  }

  private enum Committed {
    YES,
    NO,
    POSITION_MOVED
  }
}
