package io.cellmesh.operations.minion;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.operations.topology.ClusterLock;
import io.cellmesh.operations.topology.ServerInquiry;
import io.cellmesh.operations.topology.TopologyRollout;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Takes a minion out of the topology, dead or alive, so that the buffers keep no copies for it any
 * more. Called again after an interruption it goes on.
 *
 * <p>The cluster gets a new epoch: a worker that still has the topology from before would let
 * copies go on the word of a server that nobody will promote (invariants 5 and 10).
 */
public final class MinionRemoval {
  private final DataCenter site;
  private final Topology topology;
  private final StorageCluster cluster;
  private final List<String> remarks = new ArrayList<>();

  public MinionRemoval(DataCenter site, String cluster) throws IOException {
    this.site = site;
    this.topology = site.store().read();
    this.cluster = topology.cluster(cluster);
  }

  /** What a person should know of what was done. */
  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  /**
   * Removes it.
   *
   * @param address of the minion; one that is not listed any more was removed before
   * @return the topology afterwards
   * @throws OperationException also if another command changes the cluster
   */
  public Topology run(String address, OperationListener steps) throws Exception {
    if (cluster.master().address().equals(address)) {
      throw OperationException.invalid(
          "%s is the master of %s; promote a minion first, then it is out of the topology or a minion itself"
              .formatted(address, cluster.name()));
    }
    try (var lock = new ClusterLock(site.operator(), topology, cluster);
        var pools = new Pools(site.operator(), ServerInquiry.OPTIONS)) {
      // A promotion that is under way would list the minion again, under the same epoch.
      lock.acquire(cluster.master());
      TopologyRollout.requireUnchanged(site.store(), cluster);
      var servers = new ServerInquiry(pools);
      var after = without(address, servers);
      int epoch = after.cluster(cluster.name()).epoch();
      if (!after.equals(topology)) {
        TopologyRollout.write(site.store(), after.cluster(cluster.name()));
      }
      steps.run("the clusters learn of epoch " + epoch, step -> tell(epoch, servers));
      steps.run(
          "the connectors go on without " + address,
          step ->
              remarks.addAll(
                  TopologyRollout.publish(
                      site, after, cluster.name(), false, Set.of(), step::detail)));
      return after;
    }
  }

  private Topology without(String address, ServerInquiry servers) {
    var left =
        cluster.minions().stream().filter(minion -> !minion.address().equals(address)).toList();
    int epoch = cluster.epoch();
    if (left.size() == cluster.minions().size()) {
      remarks.add(
          "%s was no minion of %s; it has %s"
              .formatted(address, cluster.name(), left.stream().map(Server::address).toList()));
    } else {
      epoch = 1 + Math.max(epoch, known(servers));
    }
    return ServerInquiry.with(
        topology,
        new StorageCluster(cluster.name(), cluster.shards(), epoch, cluster.master(), left));
  }

  /** The highest epoch of the cluster that somebody has heard of. */
  private int known(ServerInquiry servers) {
    return servers.epochs(topology, cluster, cluster.master()).values().stream()
        .mapToInt(epochs -> epochs.getOrDefault(cluster.name(), 0))
        .max()
        .orElse(0);
  }

  private void tell(int epoch, ServerInquiry servers) {
    var unreached = servers.raise(topology, cluster.name(), epoch, topology.clusters());
    if (!unreached.isEmpty()) {
      remarks.add(
          "not reached: %s. Others learn of epoch %d from the sink; %s itself learns of it by `cellmesh promote --cluster %s --to %s`, which opens it"
              .formatted(
                  String.join(", ", unreached),
                  epoch,
                  cluster.name(),
                  cluster.name(),
                  cluster.master().address()));
    }
  }
}
