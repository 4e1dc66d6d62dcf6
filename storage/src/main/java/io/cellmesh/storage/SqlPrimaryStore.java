package io.cellmesh.storage;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Positions and entity tables on MySQL servers. Thread-safe. */
public final class SqlPrimaryStore implements PrimaryStore {
  private final Nodes nodes;
  private final PositionTable positions;
  private final EntityTransaction transaction;

  public SqlPrimaryStore(Topology topology, Nodes nodes) {
    this.nodes = nodes;
    this.positions = new PositionTable(topology);
    this.transaction = new EntityTransaction(topology);
  }

  @Override
  public Map<Integer, Position> positions(StorageCluster primary, Collection<Integer> partitions)
      throws SQLException, NodeUnavailableException {
    return nodes.of(primary.master()).read(connection -> positions.read(connection, partitions));
  }

  @Override
  public Result write(
      StorageCluster primary, List<Write> writes, Refusals refusals, Runnable beforeCommit)
      throws SQLException, NodeUnavailableException {
    return nodes
        .of(primary.master())
        .write(c -> transaction.run(c, primary, writes, refusals, beforeCommit));
  }

  @Override
  public Reached reached(Server server, Collection<Integer> partitions)
      throws SQLException, NodeUnavailableException {
    return nodes.of(server).read(connection -> reached(connection, partitions));
  }

  private Reached reached(Connection connection, Collection<Integer> partitions)
      throws SQLException {
    var reached = positions.read(connection, partitions);
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT @@server_uuid, @@GLOBAL.gtid_executed")) {
      row.next();
      return new Reached(row.getString(1), reached, GtidSet.parse(row.getString(2)));
    }
  }
}
