package io.cellmesh.operations.promotion;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.topology.ServerInquiry;
import io.cellmesh.storage.Pools;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps two promotions of one cluster apart, while both reach some server of the data centre: each
 * holds a named lock of MySQL on every master of the other clusters and on the server that it
 * promotes. The locks end with the command, however it ends.
 */
final class PromotionLock implements AutoCloseable {
  /** The name of a lock may have 64 characters. */
  private static final String NAME = "CONCAT('cellmesh-', LEFT(SHA2(?, 256), 40))";

  private final Pools pools;
  private final ServerInquiry servers;
  private final Topology topology;
  private final StorageCluster cluster;
  private final List<Connection> held = new ArrayList<>();

  PromotionLock(Credentials credentials, Topology topology, StorageCluster cluster) {
    // Of its own: who works through shards takes all connections of a pool.
    this.pools = new Pools(credentials, ServerInquiry.OPTIONS);
    this.servers = new ServerInquiry(pools);
    this.topology = topology;
    this.cluster = cluster;
  }

  /**
   * @throws OperationException if another promotion of the cluster is under way
   */
  void acquire(Server candidate) {
    var all = new ArrayList<Server>(List.of(candidate));
    topology.clusters().stream()
        .filter(other -> !other.name().equals(cluster.name()))
        .forEach(other -> all.add(other.master()));
    for (var server : all) {
      try {
        acquireOn(server);
      } catch (SQLException e) {
        // It does not answer, so it keeps nobody apart.
      }
    }
  }

  private void acquireOn(Server server) throws SQLException {
    var connection = servers.open(server);
    held.add(connection);
    try (var lock =
        connection.prepareStatement(
            "SELECT GET_LOCK(%1$s, 0), IS_USED_LOCK(%1$s)".formatted(NAME))) {
      var name = topology.instance() + "/" + cluster.name();
      lock.setString(1, name);
      lock.setString(2, name);
      try (var row = lock.executeQuery()) {
        row.next();
        if (row.getInt(1) != 1) {
          throw OperationException.refused(
              "another promotion of %s is under way, by what %s says; wait for it. If the machine that ran it is gone, `KILL %d` there ends its session"
                  .formatted(cluster.name(), server.address(), row.getLong(2)));
        }
      }
    }
  }

  @Override
  public void close() {
    for (var connection : held) {
      try (connection;
          var statement = connection.createStatement()) {
        statement.execute("DO RELEASE_ALL_LOCKS()");
      } catch (SQLException e) {
        // It went with the connection.
      }
    }
    held.clear();
    pools.close();
  }
}
