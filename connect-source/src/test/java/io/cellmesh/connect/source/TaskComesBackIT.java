package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.connect.client.ConnectorStatus.Part;
import io.cellmesh.connect.client.ConnectorTemplate.Connector;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exactly-once sources of two workers, whose tasks Connect leaves FAILED. */
class TaskComesBackIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Within which a task comes back whose failure nobody has to look at. */
  private static final Duration BACK = Duration.ofSeconds(15);

  /** Longer than MySQL keeps the session of a worker that hangs, and with it the task's lock. */
  private static final Duration TRANSACTION = Duration.ofSeconds(16);

  /** Which of them it is depends on what the producer does first after it hung. */
  private static final String TRANSACTION_REFUSED =
      "InvalidTxnState|InvalidProducerEpoch|ProducerFenced|producer transaction expired";

  private static final Set<TransactionState> ENDED =
      Set.of(
          TransactionState.EMPTY,
          TransactionState.COMPLETE_COMMIT,
          TransactionState.COMPLETE_ABORT);

  private static final int PARTITIONS = 4;
  private static final String NEVER_EXECUTED = "aaaaaaaa-0000-0000-0000-000000000001:1-3";

  @TempDir static Path dir;

  private static DevStack stack;
  private static InstanceFixture instance;
  private static Connector connector;

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
                .withWorkers(2)
                .withExactlyOnceSource()
                // A worker that hangs stays in its group, so that no rebalance starts its task.
                .withWorkerSetting("session.timeout.ms", "60000")
                .withBrokerSetting(
                    "transaction.abort.timed.out.transaction.cleanup.interval.ms", "500")
                .withPlugins(List.of(home.resolve("connect-source/target/plugin"))),
            Progress.silent());
    instance = InstanceFixture.create(stack.cluster("dc1", "c1"));
    stack.broker("dc1").create(new NewTopic("trips.log", PARTITIONS, (short) 1));
    connector = Samples.shipped(TopologyYaml.write(stack.topology("dc1")), "root", "");
    var config = new HashMap<>(connector.config());
    config.put("producer.override.transaction.timeout.ms", Long.toString(TRANSACTION.toMillis()));
    client().put(connector.name(), config);
    await(PATIENCE, TaskComesBackIT::runs);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void a_task_whose_producer_was_fenced_comes_back_by_itself_and_repeats_nothing()
      throws Exception {
    instance.insert(1, 10);
    readUntilComplete();

    fenceProducer();
    instance.insert(2, 10);
    await(PATIENCE, () -> task().state().equals("FAILED"));
    assertThat(task().trace()).contains("producer");
    await(BACK, TaskComesBackIT::runs);

    instance.insert(3, 10);
    readUntilComplete();
  }

  @Test
  @Tag("full")
  void a_task_whose_only_worker_hung_past_its_transaction_comes_back_by_itself_and_repeats_nothing()
      throws Exception {
    instance.insert(6, 10);
    readUntilComplete();

    var other = stack.workers("dc1").get(1);
    other.stop();
    await(PATIENCE, TaskComesBackIT::runs);
    try (var admin = stack.broker("dc1").admin()) {
      await(PATIENCE, () -> hungInTransaction(admin));
      instance.insert(7, 10);
      stack.worker("dc1").resume();
      long resumed = System.nanoTime();
      await(BACK, () -> task().state().equals("FAILED"));
      assertThat(task().trace()).containsPattern(TRANSACTION_REFUSED);
      await(BACK.minusNanos(System.nanoTime() - resumed), TaskComesBackIT::runs);
      readUntilComplete();
    } finally {
      stack.worker("dc1").resume();
      other.start();
      other.awaitReady();
    }
  }

  @Test
  @Tag("full")
  void a_task_that_needs_a_person_stays_failed_and_keeps_why() throws Exception {
    instance.insert(4, 10);
    readUntilComplete();
    var before = stored();

    alterOffset(
        ((ObjectNode) before.deepCopy())
            .put("gtids", before.path("gtids").asText() + "," + NEVER_EXECUTED));
    await(PATIENCE, () -> task().state().equals("FAILED"));
    var failed = task();
    assertThat(failed.trace()).contains("lacks transactions whose cells the log has shown");
    Awaitility.await()
        .during(Duration.ofSeconds(25))
        .atMost(PATIENCE.plusSeconds(25))
        .failFast("the task is started anew", () -> !task().equals(failed))
        .until(() -> true);
    assertThat(stored().path("failed").asText())
        .contains("lacks transactions whose cells the log has shown");

    alterOffset(before);
    instance.insert(5, 10);
    readUntilComplete();
    await(PATIENCE, () -> stored().path("failed").isMissingNode());
  }

  /**
   * Has the worker hang and waits until the broker has ended its producer's transaction.
   *
   * @return whether it was in the midst of one, which the broker then has aborted
   */
  private boolean hungInTransaction(Admin admin) throws Exception {
    stack.worker("dc1").resume();
    instance.insert(0, 1000);
    stack.worker("dc1").pause();
    var id = transactionalId();
    var state =
        Awaitility.await("the broker has ended the transaction")
            .atMost(PATIENCE)
            .until(
                () -> admin.describeTransactions(List.of(id)).description(id).get().state(),
                ENDED::contains);
    return state == TransactionState.COMPLETE_ABORT;
  }

  private static String transactionalId() throws IOException {
    var worker = new Properties();
    try (var file = Files.newBufferedReader(stack.worker("dc1").properties())) {
      worker.load(file);
    }
    return worker.getProperty("group.id") + "-" + connector.name() + "-0";
  }

  /** As a second worker does that takes the first for dead. */
  private static void fenceProducer() throws Exception {
    try (var other =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                stack.broker("dc1").bootstrap(),
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                transactionalId()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      other.initTransactions();
    }
  }

  private static void alterOffset(JsonNode offset) throws InterruptedException {
    client().stop(connector.name());
    await(PATIENCE, () -> status().tasks().isEmpty());
    client()
        .alterOffsets(
            connector.name(),
            "{\"offsets\":[{\"partition\":{\"server\":\"trips.dc1.c1\"},\"offset\":%s}]}"
                .formatted(offset));
    client().resume(connector.name());
  }

  private static JsonNode stored() {
    return client().offsets(connector.name()).path("offsets").path(0).path("offset");
  }

  private static boolean runs() {
    return client().status(connector.name()).filter(ConnectorStatus::isRunning).isPresent();
  }

  private static Part task() {
    return status().tasks().stream().findFirst().orElse(new Part("NONE", "", ""));
  }

  private static ConnectorStatus status() {
    return client().status(connector.name()).orElseThrow();
  }

  private static void await(Duration patience, Callable<Boolean> done) {
    Awaitility.await().atMost(patience).until(done);
  }

  /** Committed records: exactly the rows, each once. */
  private void readUntilComplete() throws Exception {
    var rows = instance.rows();
    try (var consumer = consumer()) {
      var all = new LogReader();
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (all.cells().size() < rows.size()) {
        assertThat(System.nanoTime()).as("time is up, %s", all.cells().size()).isLessThan(end);
        for (var record : consumer.poll(Duration.ofMillis(200))) {
          all.take(record.value());
        }
      }
      assertThat(all.cells()).isEqualTo(rows);
      assertThat(all.duplicates()).isZero();
    }
  }

  private static KafkaConsumer<byte[], byte[]> consumer() {
    var consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                stack.broker("dc1").bootstrap(),
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        IntStream.range(0, PARTITIONS).mapToObj(p -> new TopicPartition("trips.log", p)).toList());
    return consumer;
  }

  private static ConnectClient client() {
    return stack.worker("dc1").client();
  }
}
