package io.cellmesh.herb;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application as it is shipped, between two real brokers. */
class HerbReplicatorIT {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));
  private static final Shards SHARDS = new Shards(64, 16);
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Nobody listens there. */
  private static final String DEAD = "127.0.0.1:9";

  private static final List<JavaApp> APPS = new ArrayList<>();

  @TempDir static Path dir;

  private static DevStack stack;

  @BeforeAll
  static void start() throws Exception {
    // Each look costs a consumer or two.
    Awaitility.setDefaultPollInterval(Duration.ofMillis(500));
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(2)
                .withoutMySql()
                .withWorkers(0),
            Progress.silent());
  }

  @AfterEach
  void end() {
    APPS.stream().filter(JavaApp::isAlive).forEach(JavaApp::kill);
    APPS.clear();
  }

  @AfterAll
  static void stop() {
    Awaitility.reset();
    stack.close();
  }

  @Test
  void thePeersCellsArriveInOrderThroughKillsAndOutagesWhileAnotherPeerIsDead() throws Exception {
    var trips = new Instance("trips");
    var app = trips.app("--peer", "dc2=" + kafka("dc2"), "--peer", "dc3=" + DEAD);
    int sent = trips.send(500);
    await().atMost(PATIENCE).until(() -> trips.arrived().size() >= 500);

    app.kill();
    sent += trips.send(500);
    app.restart();
    int soFar = sent;
    await().atMost(PATIENCE).until(() -> distinct(trips.arrived()).size() >= soFar);

    stack.broker("dc1").kill();
    sent += trips.send(500);
    stack.broker("dc1").restart();
    int all = sent;
    await().atMost(PATIENCE).until(() -> distinct(trips.arrived()).size() >= all);

    var cells = trips.arrived();
    assertThat(distinct(cells)).hasSize(all);
    // Started again once itself, and once more when its broker came back.
    assertInOrderApartFromRepetitions(cells, 2);
    assertThat(trips.health().statusCode()).isEqualTo(503);
    assertThat(trips.health().body())
        .contains("\"dc2\":{\"state\":\"RUNNING\",\"behind\":0,", "\"dc3\":{\"state\":\"WAITING\"");
    app.stop();
    assertThat(Files.readString(app.log())).contains("Link of trips to dc3: waiting", "Stopped");
  }

  @Test
  void aPeerWithOtherPartitionsIsRefusedInWords() throws Exception {
    topic("dc2", "riders.log", 8);
    var riders = new Instance("riders");
    riders.app("--peer", "dc2=" + kafka("dc2"));
    riders.awaitHalt(
        "riders.log at",
        "has 8 partitions, the topology says partitions: 16; every data centre must have the same");
  }

  @Test
  void anAddressThatIsNotThePeersIsRefusedInWordsAndNoCellIsTaken() throws Exception {
    var own = new Instance("own");
    own.app("--peer", "dc2=" + kafka("dc1"));
    own.awaitHalt("is the Kafka of this data centre itself, not of dc2");

    // The peer's own application says there who it is.
    var named = new Instance("named");
    var there = named.app(named.topology("dc2"), "dc2", "--peer", "dc1=" + DEAD);
    named.send(100);
    await()
        .atMost(PATIENCE)
        .until(() -> Files.readString(there.log()).contains("Link of named to dc1: wait"));
    var app = named.app("--peer", "dc3=" + kafka("dc2"));
    named.awaitHalt("is not dc3: it says that it is {\\\"datacenter\\\":\\\"dc2\\\"");
    assertThat(named.arrived()).isEmpty();
    app.stop();

    named.app("--peer", "dc2=" + kafka("dc2"));
    await().atMost(PATIENCE).until(() -> named.arrived().size() >= 100);
    await().atMost(PATIENCE).until(() -> named.health().statusCode() == 200);
  }

  @Test
  void damageIsSetAsideWithItsReasonWhileAllElseArrives() throws Exception {
    var orders = new Instance("orders");
    orders.app("--peer", "dc2=" + kafka("dc2"));
    orders.send(50);
    try (var producer = producer()) {
      producer.send(new ProducerRecord<>(orders.topics.log(), 3, new byte[] {7}, new byte[] {8}));
    }
    orders.send(50);
    await().atMost(PATIENCE).until(() -> orders.arrived().size() >= 100);
    await().atMost(PATIENCE).until(() -> orders.count("dc1", orders.topics.rejected()) == 1);
    assertThat(orders.health().statusCode()).isEqualTo(200);
    assertThat(orders.health().body()).contains("\"set_aside\":1");
  }

  @Test
  void whatExpiredUnreadHaltsTheLinkUntilThatIsAcceptedAndThenItGoesOnByItself() throws Exception {
    var expired = new Instance("expired");
    var app = expired.app("--peer", "dc2=" + kafka("dc2"));
    expired.send(100);
    await().atMost(PATIENCE).until(() -> expired.arrived().size() >= 100);
    app.stop();
    expired.send(100);
    expired.cut();
    expired.send(100);

    app.restart();
    expired.awaitHalt(
        "the log of dc2 has not all that comes next: expired.log-0: records ",
        "expired before they were read",
        "to go on without what is lost: `cellmesh mesh accept --dc dc1 --peer dc2`");
    assertThat(distinct(expired.arrived())).hasSize(100);

    expired.accept();
    await().atMost(PATIENCE).until(() -> distinct(expired.arrived()).size() == 200);
    assertThat(expired.health().statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("full")
  void offsetsThatKafkaForgotAreNoGap() throws Exception {
    var idle = new Instance("idle");
    var app = idle.app("--peer", "dc2=" + kafka("dc2"));
    idle.send(100);
    await().atMost(PATIENCE).until(() -> idle.arrived().size() >= 100);
    app.stop();
    idle.forget();
    idle.send(50);
    app.restart();
    await().atMost(PATIENCE).until(() -> distinct(idle.arrived()).size() == 150);
    assertThat(Files.readString(app.log())).contains("its offsets are gone, so it begins again");

    app.stop();
    idle.forget();
    idle.cut();
    app.restart();
    idle.awaitHalt("the group has no offset", "no longer has the records before");
  }

  @Test
  void aLogThatWasMadeAgainIsNoticed() throws Exception {
    var again = new Instance("again");
    var app = again.app("--peer", "dc2=" + kafka("dc2"));
    again.send(100);
    await().atMost(PATIENCE).until(() -> again.arrived().size() >= 100);
    app.stop();
    try (var admin = stack.broker("dc2").admin()) {
      admin.deleteTopics(List.of(again.topics.log())).all().get();
    }
    topic("dc2", again.topics.log(), 16);
    again.send(300);
    app.restart();
    again.awaitHalt("again.log of dc2 was deleted and made again");
  }

  @Test
  void instances_of_one_process_fail_each_on_its_own_and_come_and_go_with_its_file()
      throws Exception {
    topic("dc2", "ill.log", 8);
    var well = new Instance("well");
    var ill = new Instance("ill");
    var list = list(well, ill);
    var app = cohort(list, well, ill);
    well.send(100);
    await().atMost(PATIENCE).until(() -> well.arrived().size() >= 100);
    await().atMost(PATIENCE).until(() -> ill.health().body().contains("HALTED"));
    await().atMost(PATIENCE).until(() -> well.health("?instance=well").statusCode() == 200);
    assertThat(well.health().statusCode()).isEqualTo(503);

    var late = new Instance("late");
    late.send(50);
    list(well, late);
    await().atMost(PATIENCE).until(() -> late.arrived().size() >= 50);
    await().atMost(PATIENCE).until(() -> well.health().statusCode() == 200);

    Files.writeString(list, "instances: [");
    await()
        .atMost(PATIENCE)
        .until(() -> well.health().body().contains("cohorts.yaml: line 1: not YAML"));
    well.send(100);
    await().atMost(PATIENCE).until(() -> well.arrived().size() >= 200);
    app.stop();
    assertThat(Files.readString(app.log()))
        .contains("ill is listed no more", "Stopped")
        .containsOnlyOnce("Link of well to dc2: CREATED");
  }

  private static Path list(Instance... instances) throws IOException {
    var list = new StringBuilder("dc: dc1\ninstances:\n");
    for (var instance : instances) {
      var name = instance.topics.instance();
      new DeploymentFiles(dir).write(name, 16, kafka("dc1"), kafka("dc2"));
      list.append("- {instance: %1$s, deployment: %1$s.yaml}\n".formatted(name));
    }
    return Files.writeString(dir.resolve("cohorts.yaml"), list);
  }

  private static JavaApp cohort(Path list, Instance... instances) throws IOException {
    int port = freePort();
    for (var instance : instances) {
      instance.port = port;
    }
    return start("cohort", List.of("--cohorts", list.toString()), port);
  }

  /** Runs the application with some options and a port where it tells how it is. */
  private static JavaApp start(String name, List<String> options, int port) throws IOException {
    var arguments = new ArrayList<>(options);
    arguments.addAll(List.of("--health-port", Integer.toString(port)));
    var app =
        stack.startApp(
            new JavaApp.Spec(
                "herb-%s-%d".formatted(name, port),
                HOME.resolve("herb-replicator/target/app"),
                "io.cellmesh.herb.HerbReplicatorMain",
                arguments,
                Map.of(),
                List.of("-Xmx128m", "-XX:TieredStopAtLevel=1")));
    APPS.add(app);
    return app;
  }

  /** An instance that is but topics in two data centres, and an application in dc1. */
  private static final class Instance {
    private final Topics topics;
    private final Map<Integer, Long> lastId = new TreeMap<>();
    private int port;

    Instance(String name) throws Exception {
      this.topics = new Topics(name);
      for (var dc : List.of("dc1", "dc2")) {
        for (var topic : List.of(topics.mesh(), topics.log(), topics.rejected())) {
          topic(dc, topic, 16);
        }
      }
    }

    Path topology(String dc) throws IOException {
      return Files.writeString(
          dir.resolve(topics.instance() + "-" + dc + ".yaml"),
          """
          instance: %s
          shards: 64
          partitions: 16
          datacenter: %s
          clusters:
            - {name: c1, shards: 0-63, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
          """
              .formatted(topics.instance(), dc));
    }

    JavaApp app(String... peers) throws IOException {
      return app(topology("dc1"), "dc1", peers);
    }

    JavaApp app(Path topology, String dc, String... peers) throws IOException {
      port = freePort();
      var arguments =
          new ArrayList<>(List.of("--topology", topology.toString(), "--bootstrap", kafka(dc)));
      arguments.addAll(List.of(peers));
      return start(topics.instance(), arguments, port);
    }

    HttpResponse<String> health() throws Exception {
      return health("");
    }

    HttpResponse<String> health(String query) throws Exception {
      var at = URI.create("http://127.0.0.1:%d/health%s".formatted(port, query));
      var request = HttpRequest.newBuilder(at);
      return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    void awaitHalt(String... words) {
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                assertThat(health().body()).contains("\"state\":\"HALTED\"").contains(words);
                assertThat(health().statusCode()).isEqualTo(503);
              });
    }

    /** Cells of dc2's own and, between them, some that dc2 has from dc1. */
    int send(int count) throws Exception {
      try (var producer = producer()) {
        for (int i = 0; i < count; i++) {
          producer.send(log("dc2"));
          if (i % 5 == 0) {
            producer.send(log("dc1"));
          }
        }
      }
      return count;
    }

    private ProducerRecord<byte[], byte[]> log(String origin) throws Exception {
      var key = new CellKey(UUID.randomUUID(), "BASE", 1);
      int shard = SHARDS.of(key.rowKey());
      long id = lastId.merge(shard, 1L, Long::sum);
      var cell = new Cell(key, Body.ofJson("{\"n\":1.50}"), Optional.of(new Origin(origin, id)));
      return new ProducerRecord<>(
          topics.log(),
          SHARDS.partitionOf(shard),
          Envelope.key(key),
          Envelope.write(new LogRecord(cell, shard, id, Instant.EPOCH)));
    }

    /** Retention takes all that there is. */
    void cut() throws Exception {
      try (var admin = stack.broker("dc2").admin();
          var consumer = consumer("dc2")) {
        var all = new HashMap<TopicPartition, RecordsToDelete>();
        consumer
            .endOffsets(partitions(topics.log()))
            .forEach((at, end) -> all.put(at, RecordsToDelete.beforeOffset(end)));
        admin.deleteRecords(all).all().get();
      }
    }

    /** As Kafka does with a group that was idle for a week. */
    void forget() throws Exception {
      try (var admin = stack.broker("dc2").admin()) {
        admin.deleteConsumerGroups(List.of(topics.instance() + "-herb-dc1")).all().get();
      }
    }

    /** What the command does. */
    void accept() throws Exception {
      try (var admin = stack.broker("dc2").admin();
          var consumer = consumer("dc2")) {
        var begins = new HashMap<TopicPartition, OffsetAndMetadata>();
        consumer
            .beginningOffsets(partitions(topics.log()))
            .forEach((at, begin) -> begins.put(at, new OffsetAndMetadata(begin)));
        admin.alterConsumerGroupOffsets(topics.instance() + "-herb-dc1", begins).all().get();
      }
    }

    long count(String dc, String topic) {
      try (var consumer = consumer(dc)) {
        return consumer.endOffsets(partitions(topic)).values().stream()
            .mapToLong(Long::longValue)
            .sum();
      }
    }

    List<Arrived> arrived() {
      var partitions = partitions(topics.mesh());
      var cells = new ArrayList<Arrived>();
      try (var consumer = consumer("dc1")) {
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        long left = count("dc1", topics.mesh());
        while (left > 0) {
          for (var record : consumer.poll(Duration.ofSeconds(1))) {
            left--;
            int shard = SHARDS.of(record.key());
            assertThat(record.partition()).isEqualTo(SHARDS.partitionOf(shard));
            var json = new String(record.value(), StandardCharsets.UTF_8);
            assertThat(json).contains("\"origin\":\"dc2\"").doesNotContain("added_id");
            cells.add(
                new Arrived(
                    shard, Long.parseLong(json.replaceAll(".*\"origin_id\":(\\d+).*", "$1"))));
          }
        }
      }
      return cells;
    }
  }

  private record Arrived(int shard, long originId) {}

  private static String kafka(String dc) {
    return stack.broker(dc).bootstrap();
  }

  private static KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.<String, Object>of("bootstrap.servers", kafka("dc2")),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static KafkaConsumer<byte[], byte[]> consumer(String dc) {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", kafka(dc)),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private static List<TopicPartition> partitions(String topic) {
    return IntStream.range(0, SHARDS.partitions())
        .mapToObj(p -> new TopicPartition(topic, p))
        .toList();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Leaves one alone that is there. */
  private static void topic(String dc, String name, int partitions) {
    try (var consumer = consumer(dc)) {
      if (consumer.listTopics().containsKey(name)) {
        return;
      }
    }
    stack.broker(dc).create(new NewTopic(name, partitions, (short) 1));
  }

  private static List<Arrived> distinct(List<Arrived> cells) {
    return cells.stream().distinct().toList();
  }

  /**
   * Each time it starts again it may go back to some earlier cell of a shard, and from wherever it
   * is it goes on without a gap.
   *
   * @param starts how often it started again, at most
   */
  private static void assertInOrderApartFromRepetitions(List<Arrived> cells, int starts) {
    var byShard = cells.stream().collect(groupingBy(Arrived::shard));
    byShard.forEach(
        (shard, arrived) -> {
          var ids = arrived.stream().map(Arrived::originId).toList();
          var inOrder = List.copyOf(new TreeSet<>(ids));
          int wentBack = 0;
          int next = 0;
          for (long id : ids) {
            int place = inOrder.indexOf(id);
            wentBack += place < next ? 1 : 0;
            assertThat(place).as("%d in shard %d: %s", id, shard, ids).isLessThanOrEqualTo(next);
            next = place + 1;
          }
          assertThat(wentBack)
              .as("how often shard %d went back: %s", shard, ids)
              .isLessThanOrEqualTo(starts);
        });
  }
}
