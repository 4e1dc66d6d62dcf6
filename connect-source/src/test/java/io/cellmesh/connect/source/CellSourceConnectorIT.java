package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.connect.client.ConnectorTemplate.Connector;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged connector in a real Connect worker, from mysqld to a consumer. */
class CellSourceConnectorIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int PARTITIONS = 4;
  private static final String COLUMN = "STATUS";

  @TempDir static Path dir;

  private static DevStack stack;
  private static InstanceFixture instance;
  private static Connector connector;

  private final LogReader log = new LogReader();
  private KafkaConsumer<byte[], byte[]> consumer;

  @BeforeAll
  static void start() throws Exception {
    var home = Path.of(System.getProperty("cellmesh.home"));
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withInstance("trips", 8, PARTITIONS)
                .withDatacenters(1)
                .withClusters(1)
                .withPlugins(List.of(home.resolve("connect-source/target/plugin"))),
            Progress.silent());
    instance = InstanceFixture.create(stack.cluster("dc1", "c1"));
    stack.broker("dc1").create(new NewTopic("trips.log", PARTITIONS, (short) 1));
    connector =
        Samples.shipped(TopologyYaml.write(stack.topology("dc1")), "root", "")
            .with("trigger.columns", COLUMN);
    instance.insert(6, 3);
    client().put(connector.name(), connector.config());
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @BeforeEach
  void openConsumer() {
    consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                stack.broker("dc1").bootstrap(),
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    assign("trips.log");
  }

  @AfterEach
  void closeConsumer() {
    consumer.close();
  }

  @Test
  void the_worker_finds_the_connector_with_its_version() {
    var plugins = client().plugins().findValuesAsText("class");

    assertThat(plugins).contains(CellSourceConnector.class.getName());
    assertThat(client().plugins().toString())
        .contains("\"" + CellSourceConnector.class.getName() + "\",\"type\":\"source\"")
        .contains("\"version\":\"" + new CellSourceConnector().version() + "\"");
  }

  @Test
  void the_worker_refuses_an_unknown_cluster_and_lists_the_known_ones() {
    var settings = new HashMap<>(connector.config());
    settings.put("cluster", "c9");
    settings.put("name", "other");

    assertThat(client().validate(settings).get("cluster"))
        .singleElement()
        .asString()
        .contains("[c1]");
  }

  @Test
  void cells_reach_a_consumer_in_their_shards_partition_and_order() throws Exception {
    instance.insert(1, 10);
    instance.insert(5, 10);

    readUntilComplete();
  }

  @Test
  void cells_survive_a_restart_of_mysqld() throws Exception {
    var minion = stack.cluster("dc1", "c1").minions().get(0);
    instance.insert(2, 20);
    minion.kill();
    instance.insert(2, 20);
    minion.restart();
    instance.insert(2, 20);

    readUntilComplete();
    client().awaitRunning(connector.name(), PATIENCE);
  }

  @Test
  void cells_survive_a_killed_worker() throws Exception {
    var writing = CompletableFuture.runAsync(CellSourceConnectorIT::write);
    readUntil(() -> log.cells().size() > 20);
    stack.worker("dc1").kill();
    stack.worker("dc1").restart();
    readUntil(writing::isDone);
    writing.join();

    readUntilComplete();
  }

  @Test
  void a_columns_topic_that_connect_has_made_has_its_cells_in_their_shards_partition_and_order()
      throws Exception {
    instance.insert(3, 10);
    for (int shard = 0; shard < 8; shard++) {
      instance.insert(shard, 5, COLUMN);
    }

    var topic = "trips.trigger." + COLUMN;
    var rows = instance.rows(COLUMN);
    await().atMost(PATIENCE).until(() -> !consumer.partitionsFor(topic).isEmpty());
    assertThat(consumer.partitionsFor(topic)).hasSize(PARTITIONS);
    assign(topic);
    readUntil(() -> log.cells().size() >= rows.size());
    assertThat(log.cells()).isEqualTo(rows);
  }

  private void assign(String topic) {
    consumer.assign(
        IntStream.range(0, PARTITIONS).mapToObj(p -> new TopicPartition(topic, p)).toList());
  }

  private static void write() {
    try {
      for (int i = 0; i < 100; i++) {
        instance.insert(i % 8, 2);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void readUntilComplete() throws IOException, SQLException {
    var rows = instance.rows();
    readUntil(() -> log.cells().size() >= rows.size());
    assertThat(log.cells()).isEqualTo(rows);
  }

  private void readUntil(BooleanSupplier done) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time is up, %s", log.cells().size()).isLessThan(end);
      for (var record : consumer.poll(Duration.ofMillis(200))) {
        log.take(record.value());
        assertThat(record.partition()).isEqualTo(shard(record) % PARTITIONS);
        assertThat(text(record.value())).contains("\"row_key\":\"" + text(record.key()) + "\"");
      }
    }
  }

  private static int shard(ConsumerRecord<byte[], byte[]> record) {
    return Integer.parseInt(text(record.headers().lastHeader("shard").value()));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static ConnectClient client() {
    return stack.worker("dc1").client();
  }
}
