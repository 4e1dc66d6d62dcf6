package io.cellmesh.bench;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.KafkaBroker;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One broker with the topics that a trigger needs; triggers don't speak to MySQL. */
final class CallbackServers implements AutoCloseable {
  static final Shards SHARDS = new Shards(64, 16);
  static final Topics TOPICS = new Topics("trips");

  private static final String TOPOLOGY =
      """
      instance: trips
      shards: %d
      partitions: %d
      datacenter: %s
      clusters:
        - name: c1
          shards: 0-%d
          epoch: 1
          master: {url: "mysql://127.0.0.1:1"}
      """
          .formatted(SHARDS.count(), SHARDS.partitions(), Servers.DATACENTER, SHARDS.count() - 1);

  private final DevStack stack;

  private CallbackServers(DevStack stack) {
    this.stack = stack;
  }

  static CallbackServers start(Progress progress) {
    var options =
        Options.defaults()
            .withDatacenters(1)
            .withInstance(TOPICS.instance(), SHARDS.count(), SHARDS.partitions())
            .withoutMySql()
            .withWorkers(0)
            .withoutSideWork();
    var servers = new CallbackServers(DevStack.start(options, progress));
    servers
        .broker()
        .create(
            topic(TOPICS.log(), Map.of()),
            topic(TOPICS.triggerState(), Map.of("cleanup.policy", "compact")),
            topic(TOPICS.parked(), Map.of()));
    return servers;
  }

  DevStack stack() {
    return stack;
  }

  KafkaBroker broker() {
    return stack.broker(Servers.DATACENTER);
  }

  /** How a trigger reaches a broker, whichever process it runs in. */
  static DataCenter datacenter(String bootstrap) {
    var access =
        FixedAccess.plain(bootstrap, URI.create("http://127.0.0.1:1"), new Credentials("none", ""));
    return new DataCenter(
        Servers.DATACENTER,
        TopologyYaml.parse(TOPOLOGY),
        TopologyStore.ofFile(Path.of("topology.yaml")),
        access);
  }

  /** Writes a log in full batches. */
  void write(LogCells cells, long count) {
    try (var producer = producer(Map.of("linger.ms", 50, "batch.size", 1 << 18))) {
      for (long i = 0; i < count; i++) {
        producer.send(cells.next());
      }
    }
  }

  /** The caller closes it. */
  KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
    var all = new HashMap<>(settings);
    all.put("bootstrap.servers", broker().bootstrap());
    return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public void close() {
    stack.close();
  }

  private static NewTopic topic(String name, Map<String, String> settings) {
    return new NewTopic(name, Optional.of(SHARDS.partitions()), Optional.empty()).configs(settings);
  }
}
