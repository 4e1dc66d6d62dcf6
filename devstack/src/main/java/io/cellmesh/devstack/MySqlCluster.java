package io.cellmesh.devstack;

import io.cellmesh.cell.ShardSet;
import java.util.ArrayList;
import java.util.List;

/** A running storage cluster, its roles as the topology gives them. */
public record MySqlCluster(
    String name, ShardSet shards, int epoch, MySqlServer master, List<MySqlServer> minions) {

  public MySqlCluster {
    minions = List.copyOf(minions);
  }

  /** The master, then the minions. */
  public List<MySqlServer> servers() {
    var servers = new ArrayList<MySqlServer>();
    servers.add(master);
    servers.addAll(minions);
    return servers;
  }
}
