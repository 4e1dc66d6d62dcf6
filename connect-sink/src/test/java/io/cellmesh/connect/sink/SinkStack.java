package io.cellmesh.connect.sink;

import com.sun.tools.attach.VirtualMachine;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.client.ConnectorTemplate;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlCluster;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import javax.management.ObjectName;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * One data centre with three storage clusters, whose Connect worker runs the shipped sink. Whoever
 * asks in one JVM gets the same one, because it takes long to start; it ends with the JVM, and its
 * directory goes with it.
 *
 * <p>Nobody closes it, and who stops, kills or changes something sets it right again.
 */
final class SinkStack {
  static final Path HOME = Path.of(System.getProperty("cellmesh.home"));

  private static SinkStack shared;

  private final DevStack stack;
  private final Topology topology;
  private final KafkaProducer<byte[], byte[]> producer;

  private SinkStack(DevStack stack) {
    this.stack = stack;
    this.topology = stack.topology("dc1");
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers", bootstrap(), "linger.ms", "1", "max.request.size", "5242880"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /**
   * Starts it unless it runs.
   *
   * @throws IllegalStateException if it does not start; the next call tries again
   */
  static synchronized SinkStack shared() {
    if (shared == null) {
      try {
        shared = start();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    return shared;
  }

  private static SinkStack start() throws Exception {
    var options =
        Options.defaults()
            .withDatacenters(1)
            .withClusters(3)
            .withWorkerSetting("offset.flush.interval.ms", "1000")
            .withPlugins(List.of(HOME.resolve("connect-sink/target/plugin")));
    var sink = new SinkStack(DevStack.start(options, Progress.silent()));
    sink.createInstance();
    sink.createTopics();
    sink.stack.worker("dc1").client().put("trips-sink", sink.shipped());
    sink.stack.worker("dc1").client().awaitRunning("trips-sink", Duration.ofSeconds(60));
    return sink;
  }

  Topology topology() {
    return topology;
  }

  DevStack devStack() {
    return stack;
  }

  /** The shipped connector, rendered for this stack. */
  Map<String, String> shipped() throws IOException {
    var template = ConnectorTemplate.read(HOME.resolve("connectors/cell-sink.json"));
    var values =
        Map.of(
            "topology", TopologyYaml.write(topology),
            "instance", "trips",
            "mysql.user", "root",
            "mysql.password", "",
            "kafka.bootstrap.servers", bootstrap());
    return new HashMap<>(template.render(values).config());
  }

  /** A row key whose shard the given cluster owns. */
  UUID rowOf(String cluster) {
    while (true) {
      var row = UUID.randomUUID();
      if (topology.clusterOf(topology.shards().of(row)).name().equals(cluster)) {
        return row;
      }
    }
  }

  static String json(UUID row, String column, long ref, String body) {
    return "{\"row_key\":\"%s\",\"column_name\":\"%s\",\"ref_key\":%d,\"body\":%s}"
        .formatted(row, column, ref, body);
  }

  Future<RecordMetadata> produce(UUID row, String json) {
    return produce(
        "trips.cells", null, row.toString().getBytes(), json == null ? null : json.getBytes());
  }

  Future<RecordMetadata> produce(String topic, Integer partition, byte[] key, byte[] value) {
    return producer.send(new ProducerRecord<>(topic, partition, key, value));
  }

  /** Produces it as a producer does that compresses, and knows no limit of its own. */
  RecordMetadata produceCompressed(UUID row, byte[] value) throws Exception {
    try (var compressing =
        new KafkaProducer<>(
            Map.<String, Object>of(
                "bootstrap.servers",
                bootstrap(),
                "compression.type",
                "zstd",
                "max.request.size",
                "67108864",
                "buffer.memory",
                "134217728"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      return compressing
          .send(new ProducerRecord<>("trips.cells", row.toString().getBytes(), value))
          .get();
    }
  }

  /** Produces versions of a cell, each once the one before it is acknowledged. */
  void produceVersions(UUID row, int first, int last) {
    try {
      for (int i = first; i <= last; i++) {
        produce(row, json(row, "BASE", i, String.valueOf(i))).get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The id of a topic as the ledger has it, in hexadecimal. */
  String topicId(String topic) throws Exception {
    try (var admin = stack.broker("dc1").admin()) {
      var id = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).topicId();
      return "%016x%016x".formatted(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }
  }

  MySqlCluster cluster(String name) {
    return stack.cluster("dc1", name);
  }

  MySqlServer masterOf(UUID row) {
    return cluster(topology.clusterOf(topology.shards().of(row)).name()).master();
  }

  /** How many cells of a row its master has. */
  int cells(UUID row) {
    return Integer.parseInt(
        masterOf(row)
            .query(
                "SELECT COUNT(*) FROM %s.entity WHERE row_key = UUID_TO_BIN('%s')"
                    .formatted(database(row), row)));
  }

  /** The ref_keys of the cells of a row, in the order in which its master took them. */
  List<String> refKeys(UUID row) {
    var sql =
        "SELECT GROUP_CONCAT(ref_key ORDER BY added_id) FROM %s.entity WHERE row_key = UUID_TO_BIN('%s')"
            .formatted(database(row), row);
    try (var connection = masterOf(row).connect();
        var statement = connection.createStatement()) {
      statement.execute("SET SESSION group_concat_max_len = 1000000");
      try (var rows = statement.executeQuery(sql)) {
        rows.next();
        return List.of(rows.getString(1).split(","));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The database of the shard of a row. */
  String database(UUID row) {
    return Names.database("trips", topology.shards().of(row));
  }

  /** Cells that wait for a primary in all buffers. */
  int buffered(String primary) {
    return topology.clusters().stream()
        .filter(c -> !c.name().equals(primary))
        .mapToInt(c -> bufferedOn(c.name(), primary))
        .sum();
  }

  /** Cells that wait for a primary in the buffer of one secondary. */
  int bufferedOn(String secondary, String primary) {
    return Integer.parseInt(
        cluster(secondary)
            .master()
            .query(
                "SELECT COALESCE(SUM(cells), 0) FROM trips_meta.buffer WHERE primary_cluster = '%s'"
                    .formatted(primary)));
  }

  /** What stands in the buffers for a primary, for messages. */
  String copiesOf(String primary) {
    return topology.clusters().stream()
        .filter(c -> !c.name().equals(primary))
        .map(
            c ->
                c.name()
                    + " "
                    + cluster(c.name())
                        .master()
                        .query(
                            "SELECT COALESCE(GROUP_CONCAT(CONCAT_WS(' ', topic_kind, partition_no,"
                                + " previous_next, next_offset, cells, written_at) SEPARATOR '; '),"
                                + " '') FROM trips_meta.buffer WHERE primary_cluster = '"
                                + primary
                                + "'"))
        .toList()
        .toString();
  }

  /** The offset that the sink has committed in a partition of trips.cells; 0 if none. */
  long committed(int partition) throws Exception {
    try (var admin = stack.broker("dc1").admin()) {
      var offset =
          admin
              .listConsumerGroupOffsets("connect-trips-sink")
              .partitionsToOffsetAndMetadata()
              .get()
              .get(new TopicPartition("trips.cells", partition));
      return offset == null ? 0 : offset.offset();
    }
  }

  /** What the sink's tasks show through JMX, added up. */
  double metric(String attribute) throws Exception {
    var machine = VirtualMachine.attach(Long.toString(stack.worker("dc1").pid()));
    try (var jmx =
        JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()))) {
      var beans = jmx.getMBeanServerConnection();
      double sum = 0;
      for (int task = 0; task < topology.shards().partitions(); task++) {
        var name = new ObjectName("kafka.connect:type=plugins,connector=trips-sink,task=" + task);
        if (beans.isRegistered(name)) {
          sum += (double) beans.getAttribute(name, attribute);
        }
      }
      return sum;
    } finally {
      machine.detach();
    }
  }

  String bootstrap() {
    return stack.broker("dc1").bootstrap();
  }

  private void createInstance() throws Exception {
    try (var pools = new Pools(new Credentials("root", ""))) {
      var schema = new InstanceSchema(topology, pools);
      for (var cluster : topology.clusters()) {
        schema.create(cluster, shards -> {});
      }
    }
  }

  private void createTopics() throws Exception {
    int partitions = topology.shards().partitions();
    var large = Map.of("max.message.bytes", "4194304");
    stack
        .broker("dc1")
        .create(
            new NewTopic("trips.cells", partitions, (short) 1).configs(large),
            new NewTopic("trips.mesh", partitions, (short) 1).configs(large),
            new NewTopic("trips.rejected", 1, (short) 1).configs(large));
  }
}
