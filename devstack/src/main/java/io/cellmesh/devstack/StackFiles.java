package io.cellmesh.devstack;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.TopologyYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a stack tells the world in its state directory: a {@code topology-DC.yaml} each, which hold
 * the roles, and {@code endpoints.json}, which follows from them.
 */
record StackFiles(Path stateDir, StackPlan plan) {

  /** The files of a stack that has just started, every server in its first role. */
  void writeFirst(Members members) {
    for (var dc : plan.dcs()) {
      if (!dc.clusters().isEmpty()) {
        var clusters = dc.clusters().stream().map(c -> first(c, members)).toList();
        var shards = new Shards(plan.shards(), plan.partitions());
        write(new Topology(plan.instance(), shards, dc.name(), clusters));
      }
    }
    writeEndpoints();
  }

  /** Makes a changed map that of its data centre. */
  void publish(Topology topology) {
    write(topology);
    writeEndpoints();
  }

  Topology topology(String dc) {
    try {
      return TopologyYaml.parse(Files.readString(topologyFile(dc)));
    } catch (IOException e) {
      throw new DevStackException("no topology of " + dc + " in " + stateDir, e);
    }
  }

  Path topologyFile(String dc) {
    return stateDir.resolve("topology-" + dc + ".yaml");
  }

  private static StorageCluster first(StackPlan.ClusterPlan cluster, Members members) {
    var servers =
        cluster.servers().stream().map(s -> members.servers().get(s.name()).server()).toList();
    return new StorageCluster(
        cluster.name(),
        ShardSet.parse(cluster.shards()),
        1,
        servers.get(0),
        servers.subList(1, servers.size()));
  }

  private void write(Topology topology) {
    try {
      AtomicFile.write(topologyFile(topology.datacenter()), TopologyYaml.write(topology));
    } catch (IOException e) {
      throw new DevStackException("the topology could not be written into " + stateDir, e);
    }
  }

  private void writeEndpoints() {
    var dcs = plan.dcs().stream().map(this::endpoints).toList();
    new Endpoints(plan.instance(), plan.shards(), dcs).write(stateDir);
  }

  private Endpoints.Dc endpoints(StackPlan.DcPlan dc) {
    var clusters =
        dc.clusters().isEmpty() ? List.<StorageCluster>of() : topology(dc.name()).clusters();
    return new Endpoints.Dc(
        dc.name(),
        dc.brokers().isEmpty() ? null : KafkaBroker.bootstrap(dc.brokers()),
        dc.workers().isEmpty()
            ? null
            : ConnectWorker.url(RestSecurity.of(stateDir).isPresent(), dc.workers().get(0)),
        clusters.stream().map(StackFiles::endpoints).toList());
  }

  private static Endpoints.Cluster endpoints(StorageCluster cluster) {
    return new Endpoints.Cluster(
        cluster.name(),
        cluster.shards().toString(),
        url(cluster.master()),
        cluster.minions().stream().map(StackFiles::url).toList());
  }

  private static String url(Topology.Server server) {
    return "mysql://root@" + server.address();
  }
}
