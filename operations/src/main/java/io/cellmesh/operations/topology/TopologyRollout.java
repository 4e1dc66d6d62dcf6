package io.cellmesh.operations.topology;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.TopologyTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Brings a changed topology to the clusters, where workers find it, and to the connectors, and says
 * what a person has to do beside it.
 */
public final class TopologyRollout {
  private static final Duration CONNECTORS = Duration.ofSeconds(60);

  /** How often at most connectors are told that somebody tells otherwise. */
  private static final int ROUNDS = 5;

  private TopologyRollout() {}

  /**
   * Writes a cluster's entry down. Those of the others stay as they are by now: a command that took
   * long has read them before another one changed them.
   */
  public static void write(TopologyStore store, StorageCluster changed) throws IOException {
    store.write(ServerInquiry.with(store.read(), changed));
  }

  /**
   * Makes sure that a cluster is still what a command has planned for. Whoever asks holds the lock
   * of the cluster, so that it stays so.
   *
   * @param planned as the topology had it then
   * @throws OperationException if another command has changed it since
   */
  public static void requireUnchanged(TopologyStore store, StorageCluster planned)
      throws IOException {
    if (!store.read().cluster(planned.name()).equals(planned)) {
      throw OperationException.refused(
          "another command has changed %s since this one looked at it; look at `cellmesh status`, and run this once more if it is still wanted"
              .formatted(planned.name()));
    }
  }

  /**
   * Returns when the connectors run with it, or a minute later. Of commands that change clusters at
   * the same moment one may write over what another has written since it read: neither a file nor
   * Connect keeps them apart. By then that has happened, so it is looked for, and written again.
   *
   * @param changed the cluster of which it tells something new, whose lock is held
   * @param again as for {@link ConnectorTopologies#update}
   * @param whole as for {@link ConnectorTopologies#update}
   * @param says told what it is at
   * @return remarks for a person
   */
  public static List<String> publish(
      DataCenter site,
      Topology topology,
      String changed,
      boolean again,
      Set<String> whole,
      Consumer<String> says)
      throws IOException, InterruptedException {
    var remarks = new ArrayList<String>(tell(site, topology, says));
    var connectors = new ConnectorTopologies(ConnectClients.of(site));
    var waiting = new TreeMap<String, String>();
    var outcome = connectors.update(topology, changed, again, whole, says);
    for (int round = 1; round < ROUNDS && !outcome.changed().isEmpty(); round++) {
      says.accept("they start");
      waiting.keySet().removeAll(outcome.changed());
      waiting.putAll(connectors.awaitRunning(outcome.changed(), CONNECTORS));
      outcome = connectors.update(topology, changed, again, whole, says);
    }
    waiting.forEach((name, why) -> remarks.add(name + " does not run: " + why));
    for (var name : outcome.byHand()) {
      remarks.add(
          name + " takes its topology from a ConfigProvider: give it the new one and restart it");
    }
    var present = site.store().read();
    // Only what is older there: whoever took the lock since may have changed the same cluster.
    var newest = present.withNewerOf(topology);
    if (!newest.equals(present)) {
      site.store().write(newest);
    }
    return remarks;
  }

  /** A master that does not answer hears it with the next change; workers ask the others, too. */
  private static List<String> tell(DataCenter site, Topology topology, Consumer<String> says) {
    var table = new TopologyTable(topology);
    says.accept("the clusters hear of it");
    try (var pools = new Pools(site.operator(), ServerInquiry.OPTIONS)) {
      var untold =
          new ServerInquiry(pools)
              .changeEach(
                  topology.clusters().stream().map(StorageCluster::master).toList(),
                  connection -> table.put(connection, topology));
      return topology.clusters().stream()
          .filter(cluster -> untold.containsKey(cluster.master()))
          .map(
              cluster ->
                  "cluster %s was not told of the topology, which workers read there as well as in their file: %s"
                      .formatted(cluster.name(), untold.get(cluster.master())))
          .toList();
    }
  }
}
