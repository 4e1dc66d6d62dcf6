package io.cellmesh.e2e.worker;

import io.cellmesh.cell.CellKey;
import io.cellmesh.client.Position;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.e2e.faults.FaultStack;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** Looks into MySQL with connections of its own, past everything that is tested. For one thread. */
final class OwnLook implements AutoCloseable {
  private final FaultStack stack;
  private final Map<MySqlServer, Connection> connections = new HashMap<>();

  OwnLook(FaultStack stack) {
    this.stack = stack;
  }

  /** Whether the primary's master has a cell. */
  boolean isVisible(CellKey key) throws SQLException {
    int shard = stack.topology().shards().of(key.rowKey());
    return isVisible(stack.master(stack.topology().clusterOf(shard).name()), key);
  }

  /** Whether a server of the primary has a cell. */
  boolean isVisible(MySqlServer server, CellKey key) throws SQLException {
    return count(
            server,
            "SELECT COUNT(*) FROM trips_%04d.entity WHERE row_key = UUID_TO_BIN('%s')"
                    .formatted(stack.topology().shards().of(key.rowKey()), key.rowKey())
                + " AND column_name = '%s' AND ref_key = %d"
                    .formatted(key.columnName(), key.refKey()))
        == 1;
  }

  /** Whether another cluster's buffer has a copy of a record. */
  boolean hasCopy(String primary, Position at) throws SQLException {
    for (var cluster : stack.clusters()) {
      if (!cluster.name().equals(primary) && count(cluster.master(), copies(primary, at)) > 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    connections.values().forEach(OwnLook::close);
  }

  private static String copies(String primary, Position at) {
    return "SELECT COUNT(*) FROM trips_meta.buffer WHERE primary_cluster = '%s'".formatted(primary)
        + " AND topic_kind = 'cells' AND partition_no = %d".formatted(at.partition())
        + " AND previous_next <= %d AND next_offset > %d".formatted(at.offset(), at.offset());
  }

  private long count(MySqlServer server, String sql) throws SQLException {
    try (var statement = connection(server).createStatement();
        var row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      var broken = connections.remove(server);
      if (broken != null) {
        close(broken);
      }
      throw e;
    }
  }

  private Connection connection(MySqlServer server) throws SQLException {
    var known = connections.get(server);
    if (known == null) {
      known = server.connect();
      known.setNetworkTimeout(Runnable::run, 2_000);
      connections.put(server, known);
    }
    return known;
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // It was of no use any more.
    }
  }
}
