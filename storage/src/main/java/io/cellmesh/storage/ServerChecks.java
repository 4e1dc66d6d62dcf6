package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.ServerFinding.Severity;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Finds out whether a MySQL server keeps what it is given: durably, replicated whole, and in order
 * (invariants 2 and 5). A test of the data can't show it: what a crash of the machine takes is
 * still there after a {@code kill -9}.
 */
public final class ServerChecks {
  private final Severity durability;
  private final long packetNeeded;

  /**
   * @param durability how bad it is if a crash of the machine can lose what was committed
   * @param bodyLimit most bytes of JSON that a body may have
   */
  public ServerChecks(Severity durability, int bodyLimit) {
    this.durability = durability;
    this.packetNeeded = Packet.needed(bodyLimit);
  }

  /**
   * Judges the server at the other end of a connection.
   *
   * @param server the cluster's master or one of its minions
   * @return what is wrong; empty if nothing is
   */
  public List<ServerFinding> check(Connection connection, StorageCluster cluster, Server server)
      throws SQLException {
    boolean master = server.equals(cluster.master());
    var name =
        "%s %s (%s)".formatted(cluster.name(), master ? "master" : "minion", server.address());
    return master
        ? new ServerRules(name, ServerVariables.ofMaster(connection))
            .master(durability, packetNeeded)
        : new ServerRules(name, ServerVariables.ofMinion(connection)).minion(packetNeeded);
  }
}
