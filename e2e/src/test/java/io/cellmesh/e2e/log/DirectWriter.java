package io.cellmesh.e2e.log;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.EntityTransaction;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PositionTable;
import io.cellmesh.storage.Refusals;
import io.cellmesh.storage.RefusedRecord;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes cells as the sink does, in the sink's own transaction, without a topic before it. */
final class DirectWriter implements AutoCloseable {
  private static final Refusals NO_REFUSALS =
      new Refusals() {
        @Override
        public Place place(IngestTopic topic, int partition, OffsetCell cell) {
          throw new AssertionError(cell);
        }

        @Override
        public Optional<RefusedRecord> record(
            IngestTopic topic, int partition, OffsetCell cell, long room) {
          throw new AssertionError(cell);
        }

        @Override
        public void misfit(
            IngestTopic topic, int partition, OffsetCell cell, InvalidCellException reason) {
          throw new AssertionError(reason);
        }
      };

  private final Topology topology;
  private final StorageCluster cluster;
  private final RowKeys keys;
  private final EntityTransaction transaction;
  private final PositionTable positions;
  private final Pools pools;

  DirectWriter(Topology topology, StorageCluster cluster, long seed) {
    this.topology = topology;
    this.cluster = cluster;
    this.keys = new RowKeys(seed);
    this.transaction = new EntityTransaction(topology);
    this.positions = new PositionTable(topology);
    this.pools = new Pools(new Credentials("root", ""), MySqlOptions.DEFAULT.withMultiStatements());
  }

  /** Where the cluster stands with the cells of a shard. */
  Position position(int shard) throws SQLException {
    int partition = topology.shards().partitionOf(shard);
    try (var connection = pools.open(cluster.master())) {
      return positions.read(connection, List.of(partition)).get(partition);
    }
  }

  /**
   * Writes cells behind a position.
   *
   * @param expected what the writer remembers
   * @param beforeCommit when everything is written
   */
  Result write(int shard, Position expected, int cells, Runnable beforeCommit) throws SQLException {
    var mark = expected.cells();
    var written = new ArrayList<OffsetCell>();
    for (int i = 0; i < cells; i++) {
      written.add(new OffsetCell(mark.next() + i, shard, cell(shard, i)));
    }
    var next = expected.with(IngestTopic.CELLS, new Mark(mark.next() + cells, mark.digest()));
    int partition = topology.shards().partitionOf(shard);
    try (var connection = pools.open(cluster.master())) {
      return transaction.run(
          connection,
          cluster,
          List.of(new Write(partition, expected, next, Map.of(IngestTopic.CELLS, written))),
          NO_REFUSALS,
          beforeCommit);
    }
  }

  /** Writes so many cells into each of the cluster's shards, a transaction a shard. */
  void writeToEachShard(int cells) throws SQLException {
    for (int shard : cluster.shards().stream().toArray()) {
      write(shard, position(shard), cells, () -> {});
    }
  }

  @Override
  public void close() {
    pools.close();
  }

  static Body body(int number) {
    try {
      return Body.ofJson("{\"number\":" + number + "}");
    } catch (InvalidCellException e) {
      throw new AssertionError(e);
    }
  }

  private Cell cell(int shard, int number) {
    var key = new CellKey(keys.next(topology.shards(), shard), "BASE", number);
    return new Cell(key, body(number), Optional.empty());
  }
}
