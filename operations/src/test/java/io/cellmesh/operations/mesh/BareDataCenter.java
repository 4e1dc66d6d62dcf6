package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.KafkaBroker;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.operations.instance.InstanceDatabases;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.storage.Pools;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** Makes data centres that are but tables and topics: with no Connect, nor anybody else. */
public final class BareDataCenter {
  private static final Credentials ROOT = new Credentials("root", "");

  private BareDataCenter() {}

  /** Starts for each of some data centres a broker and one server, which has all shards. */
  public static DevStack servers(Path dir, Shards shards, int datacenters) {
    return DevStack.start(
        Options.defaults()
            .withStateDir(dir)
            .withInstance("trips", shards.count(), shards.partitions())
            .withDatacenters(datacenters)
            .withClusters(1)
            .withMinions(0)
            .withWorkers(0),
        Progress.silent());
  }

  /** Creates what an instance has in its servers. */
  public static DataCenter withTables(Topology topology, KafkaBroker broker, Pools pools)
      throws Exception {
    InstanceDatabases.create(topology, pools, made -> {});
    return withTopics(topology, broker);
  }

  /** Creates what an instance has in Kafka. */
  static DataCenter withTopics(Topology topology, KafkaBroker broker) throws Exception {
    try (var admin = broker.admin()) {
      new InstanceTopics(admin, topology.topics(), topology.shards(), (short) 1).create(List.of());
    }
    return of(topology.datacenter(), topology, broker.bootstrap());
  }

  /** Has a map, and servers that are nowhere. */
  public static DataCenter nowhere(String name) {
    var topology =
        TopologyYaml.parse(
            """
            instance: trips
            shards: 4
            partitions: 2
            datacenter: %s
            clusters:
              - {name: c1, shards: 0-3, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
            """
                .formatted(name));
    return of(name, topology, "127.0.0.1:9");
  }

  /** Creates nothing. */
  public static DataCenter of(String name, Topology topology, String bootstrap) {
    return new DataCenter(
        name,
        topology,
        TopologyStore.ofFile(Path.of("topology.yaml")),
        FixedAccess.plain(bootstrap, URI.create("http://127.0.0.1:1"), ROOT));
  }
}
