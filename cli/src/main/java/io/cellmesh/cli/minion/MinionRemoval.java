package io.cellmesh.cli.minion;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cli.cluster.ClusterServers;
import io.cellmesh.cli.cluster.ClusterSite;
import io.cellmesh.cli.cluster.MapChange;
import io.cellmesh.cli.outcome.CliException;
import io.cellmesh.cli.terminal.Steps;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes a minion out of the topology, dead or alive, so that the buffers keep no copies for it any
 * more. Called again after an interruption it goes on.
 */
public final class MinionRemoval {
  private final ClusterSite site;
  private final Topology topology;
  private final StorageCluster cluster;
  private final List<String> remarks = new ArrayList<>();

  public MinionRemoval(ClusterSite site, String cluster) throws IOException {
    this.site = site;
    this.topology = site.topology().read();
    this.cluster = topology.cluster(cluster);
  }

  /** What a person should know of what was done. */
  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  /**
   * Does it.
   *
   * @param address of the minion; one that is not listed any more was removed before
   * @return the shard map afterwards
   */
  public Topology run(String address, Steps steps) throws Exception {
    if (cluster.master().address().equals(address)) {
      throw CliException.usage(
          "%s is the master of %s; promote a minion first, then it is out of the topology or a minion itself"
              .formatted(address, cluster.name()));
    }
    var left =
        cluster.minions().stream().filter(minion -> !minion.address().equals(address)).toList();
    if (left.size() == cluster.minions().size()) {
      remarks.add(
          "%s was no minion of %s; it has %s"
              .formatted(address, cluster.name(), left.stream().map(Server::address).toList()));
    }
    var after =
        ClusterServers.with(
            topology,
            new StorageCluster(
                cluster.name(), cluster.shards(), cluster.epoch(), cluster.master(), left));
    steps.run(
        "the topology and the connectors go on without " + address,
        step -> {
          if (!after.equals(topology)) {
            site.topology().write(after);
          }
          remarks.addAll(MapChange.publish(site, after, false, step::detail));
          return null;
        });
    return after;
  }
}
