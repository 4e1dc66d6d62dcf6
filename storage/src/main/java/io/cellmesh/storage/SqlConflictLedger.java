package io.cellmesh.storage;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.Decision.Place;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Ledgers of conflicts on MySQL servers. Thread-safe. */
public final class SqlConflictLedger implements ConflictLedger {
  private final Nodes nodes;
  private final ConflictTable table;

  public SqlConflictLedger(Topology topology, Nodes nodes) {
    this.nodes = nodes;
    this.table = new ConflictTable(topology);
  }

  @Override
  public long countUntold(StorageCluster primary) throws SQLException, NodeUnavailableException {
    return nodes.of(primary.master()).call(table::countUntold);
  }

  @Override
  public List<Decision> untold(StorageCluster primary, Map<Integer, Position> reached, int limit)
      throws SQLException, NodeUnavailableException {
    return nodes.of(primary.master()).call(c -> table.untold(c, reached, limit));
  }

  @Override
  public Set<Place> decided(Server server, Collection<Place> places)
      throws SQLException, NodeUnavailableException {
    return nodes.of(server).call(c -> table.decided(c, places));
  }

  @Override
  public void told(StorageCluster primary, Collection<Place> places)
      throws SQLException, NodeUnavailableException {
    nodes.of(primary.master()).write(c -> table.told(c, places));
  }
}
