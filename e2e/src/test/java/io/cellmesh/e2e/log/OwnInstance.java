package io.cellmesh.e2e.log;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.client.ConnectorTemplate.Connector;
import io.cellmesh.deployment.ConnectorAccess;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.operations.connectors.InstanceConnectors;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.Consumers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One more instance, all of it on one cluster of the stack, with the shipped source connector and
 * nothing else: what is done to it touches no other scenario.
 */
final class OwnInstance implements AutoCloseable {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));
  private static final Credentials ROOT = new Credentials("root", "");
  private static final Duration START = Duration.ofSeconds(60);

  private final FaultStack stack;
  private final Topology topology;
  private final StorageCluster cluster;
  private final DirectWriter writer;

  private OwnInstance(FaultStack stack, Topology topology, StorageCluster cluster) {
    this.stack = stack;
    this.topology = topology;
    this.cluster = cluster;
    this.writer = new DirectWriter(topology, cluster, topology.instance().hashCode());
  }

  /** Its topics and tables; no connector yet. */
  static OwnInstance create(FaultStack stack, String name, String cluster) throws Exception {
    var first = stack.topology();
    var servers = first.cluster(cluster);
    var all = ShardSet.parse("0-" + (first.shards().count() - 1));
    var own =
        new StorageCluster(cluster, all, servers.epoch(), servers.master(), servers.minions());
    var topology = new Topology(name, first.shards(), first.datacenter(), List.of(own));
    try (var pools = new Pools(ROOT);
        var admin = Consumers.admin(KafkaAccess.plain(stack.bootstrap()))) {
      new InstanceTopics(admin, topology.topics(), topology.shards(), (short) 1).create(List.of());
      new InstanceSchema(topology, pools).create(own, shards -> {});
    }
    return new OwnInstance(stack, topology, own);
  }

  Topology topology() {
    return topology;
  }

  StorageCluster storage() {
    return cluster;
  }

  /** Its topology.yaml, as a person who runs commands has it. */
  Path topologyFile() throws IOException {
    var file = stack.directory().resolve("topology-" + topology.instance() + ".yaml");
    return Files.writeString(file, TopologyYaml.write(topology));
  }

  String cluster() {
    return cluster.name();
  }

  /** The lowest of the cluster's shards. */
  int shard() {
    return cluster.shards().stream().findFirst().orElseThrow();
  }

  DirectWriter writer() {
    return writer;
  }

  /** The name of its source connector. */
  String source() {
    return shipped().name();
  }

  /** Starts the shipped connector; returns when it runs. */
  void startSource() {
    startSource(Map.of());
  }

  /**
   * @param more settings, in place of the shipped ones
   */
  void startSource(Map<String, String> more) {
    var config = new HashMap<>(shipped().config());
    config.putAll(more);
    stack.connect().put(source(), config);
    stack.connect().awaitRunning(source(), START);
  }

  LogContents log() {
    return LogContents.read(stack, topology.topics().log());
  }

  @Override
  public void close() {
    writer.close();
    stack.connect().delete(source());
  }

  private Connector shipped() {
    try {
      return new InstanceConnectors(topology, ConnectorAccess.plain("root", stack.bootstrap()))
          .render(HOME.resolve("connectors")).stream()
              .filter(c -> c.connectorClass().endsWith("CellSourceConnector"))
              .filter(c -> c.config().get("cluster").equals(cluster.name()))
              .findFirst()
              .orElseThrow();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
