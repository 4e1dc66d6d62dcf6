package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.devstack.KafkaBroker;
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

  /** Creates nothing. */
  public static DataCenter of(String name, Topology topology, String bootstrap) {
    return new DataCenter(
        name,
        topology,
        TopologyStore.ofFile(Path.of("topology.yaml")),
        FixedAccess.plain(bootstrap, URI.create("http://127.0.0.1:1"), ROOT));
  }
}
