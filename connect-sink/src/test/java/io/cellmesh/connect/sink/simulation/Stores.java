package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferStore;
import io.cellmesh.storage.BufferTable.Reapable;
import io.cellmesh.storage.ConflictLedger;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PrimaryStore;
import io.cellmesh.storage.Refusals;
import io.cellmesh.storage.RefusedRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What is compared, over tables that are empty: two clusters, c1 with the shards 0 to 2, and two
 * partitions.
 */
record Stores(
    Topology topology, PrimaryStore primaries, BufferStore buffers, ConflictLedger ledger) {
  static final Duration ANSWER = Duration.ofSeconds(3);
  static final Position START = Position.START;

  StorageCluster c1() {
    return topology.cluster("c1");
  }

  StorageCluster c2() {
    return topology.cluster("c2");
  }

  Result write(Position expected, Position next, OffsetCell... cells) throws Exception {
    return write(c1(), expected, next, () -> {}, cells);
  }

  Result write(
      StorageCluster primary,
      Position expected,
      Position next,
      Runnable beforeCommit,
      OffsetCell... cells)
      throws Exception {
    var write = new Write(0, expected, next, Map.of(IngestTopic.CELLS, List.of(cells)));
    return primaries.write(primary, List.of(write), new Places(), beforeCommit);
  }

  Position position() throws Exception {
    return primaries.positions(c1(), List.of(0)).get(0);
  }

  /** How many went of each primary, in their order. */
  List<Integer> reap(int limit, Reapable... reapable) throws Exception {
    var went = buffers.reap(c2(), List.of(reapable), limit);
    return Stream.of(reapable).map(one -> went.get(one.primary().name())).toList();
  }

  void hold(long previous, long next, OffsetCell... cells) throws Exception {
    buffers.insert(c2(), Map.of(c1(), List.of(copy(previous, next, cells))), ANSWER);
  }

  static StorageCluster epoch(StorageCluster cluster, int epoch) {
    return new StorageCluster(
        cluster.name(), cluster.shards(), epoch, cluster.master(), cluster.minions());
  }

  static ShardSet shards(int first, int last) {
    return ShardSet.parse(first + "-" + last);
  }

  static Position cells(long next) {
    return new Position(new Mark(next, next), Mark.START);
  }

  private static Copy copy(long previous, long next, OffsetCell... cells) {
    return new Copy("c1", IngestTopic.CELLS, 0, previous, new Mark(next, next), List.of(cells));
  }

  static OffsetCell cell(long offset, long ref, String body) {
    return cell(offset, ref, body, Optional.empty());
  }

  static OffsetCell cell(long offset, long ref, String body, Optional<Origin> origin) {
    try {
      var key = new CellKey(new UUID(1, 1), "BASE", ref);
      return new OffsetCell(offset, 0, new Cell(key, Body.ofJson(body), origin));
    } catch (InvalidCellException e) {
      throw new AssertionError(e);
    }
  }

  /** Keeps a record of each cell. */
  static final class Places implements Refusals {
    Place place(long offset) {
      return new Place(new UUID(7, 7), 0, offset);
    }

    @Override
    public Place place(IngestTopic topic, int partition, OffsetCell cell) {
      return place(cell.offset());
    }

    @Override
    public Optional<RefusedRecord> record(
        IngestTopic topic, int partition, OffsetCell cell, long room) {
      return Optional.of(new RefusedRecord(new byte[] {1}, new byte[] {2}, List.of(), 7));
    }

    @Override
    public void misfit(
        IngestTopic topic, int partition, OffsetCell cell, InvalidCellException reason) {
      throw new AssertionError(reason);
    }
  }
}
