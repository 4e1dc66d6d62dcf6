package io.cellmesh.herb;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
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
    assertThat(Files.readString(app.log())).contains("Link to dc3: waiting", "Stopped");
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
        .until(() -> Files.readString(there.log()).contains("Link to dc1: wait"));
    var app = named.app("--peer", "dc3=" + kafka("dc2"));
    named.awaitHalt("is not dc3: it says that it is {\\\"datacenter\\\":\\\"dc2\\\"");
    assertThat(named.arrived()).isEmpty();
    app.stop();

    named.app("--peer", "dc2=" + kafka("dc2"));
    await().atMost(PATIENCE).until(() -> named.arrived().size() >= 100);
    await().atMost(PATIENCE).until(() -> named.health().statusCode() == 200);
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
    await().atMost(PATIENCE).until(() -> idle.arrived().size() >= 150);
    assertThat(idle.arrived()).as("the place that is kept here").hasSize(150);

    app.stop();
    idle.forget();
    idle.forgetPlaces();
    idle.send(50);
    app.restart();
    await().atMost(PATIENCE).until(() -> distinct(idle.arrived()).size() == 200);
    assertThat(Files.readString(app.log())).contains("its offsets are gone, so it begins again");

    app.stop();
    idle.forget();
    idle.forgetPlaces();
    idle.cut();
    app.restart();
    idle.awaitHalt("the group has no offset", "no longer has the records before");
  }

  /** As before links kept their places here. */
  @Test
  void aLinkThatHasCommittedGoesOnThereAndKeepsThatPlaceHere() throws Exception {
    var older = new Instance("older");
    older.send(100);
    older.commitEnds();
    older.send(30);
    older.app("--peer", "dc2=" + kafka("dc2"));
    await().atMost(PATIENCE).until(() -> older.arrived().size() >= 30);
    await().atMost(PATIENCE).until(() -> older.places().equals(older.ends()));
    assertThat(older.arrived()).hasSize(30);
  }

  /** No broker of the other data centre is known to either. */
  @Test
  @Tag("full")
  void aPeerWhoseBrokersNobodyMayReachIsReadOverHttp() throws Exception {
    var closed = new Instance("closed");
    int port = freePort();
    closed.deployed(
        "dc2",
        "{serve: {port: %d, allow: [dc1]}, peers: {dc1: {transport: http, url: \"http://%s\"}}}"
            .formatted(port, DEAD));
    closed.send(200);
    var app =
        closed.deployed(
            "dc1",
            "{peers: {dc2: {transport: http, url: \"http://127.0.0.1:%d\"}}}".formatted(port));
    await().atMost(PATIENCE).until(() -> closed.arrived().size() >= 200);
    assertThat(closed.health().statusCode()).isEqualTo(200);

    app.kill();
    closed.send(200);
    app.restart();
    await().atMost(PATIENCE).until(() -> distinct(closed.arrived()).size() >= 400);
    assertInOrderApartFromRepetitions(closed.arrived(), 1);
  }

  @Test
  void whatIsTamperedWithOnTheWayIsNamedAndWhatIsNotIsProvedThroughKills() throws Exception {
    var proved = new Instance("proved");
    for (var dc : List.of("dc1", "dc2")) {
      topic(dc, proved.topics.checkpoint(), 16);
    }
    var there = proved.app(proved.topology("dc2"), "dc2", "--peer", "dc1=" + kafka("dc1"));
    var here = proved.app("--peer", "dc2=" + kafka("dc2"));
    proved.send(300);
    proved.awaitHealth("\"agreed\":300,\"held\":0,\"waiting\":0,\"absent\":0");
    here.kill();
    there.kill();
    proved.send(300);
    there.restart();
    here.restart();
    proved.awaitHealth("\"agreed\":600,", "\"differences\":[]");

    int shard = proved.lastId.keySet().iterator().next();
    try (var producer = producer("dc1")) {
      producer.send(proved.forged(shard));
    }
    proved.send(1_000);
    proved.awaitHealth(" in the mesh, shard %d, origin_id ".formatted(shard));
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
      var arguments =
          new ArrayList<>(List.of("--topology", topology.toString(), "--bootstrap", kafka(dc)));
      arguments.addAll(List.of(peers));
      return started(arguments);
    }

    /** An application whose file knows its own brokers alone. */
    JavaApp deployed(String dc, String mesh) throws IOException {
      var file = dir.resolve("%s-%s-cellmesh.yaml".formatted(topics.instance(), dc));
      var other = dc.equals("dc1") ? "dc2" : "dc1";
      Files.writeString(
          file,
          """
          instance: %s
          datacenters:
            - {name: %s, topology: %s, kafka: {bootstrap: "%s"}, mesh: %s}
            - {name: %s, topology: %s}
          """
              .formatted(
                  topics.instance(), dc, topology(dc), kafka(dc), mesh, other, topology(other)));
      return started(new ArrayList<>(List.of("--deployment", file.toString(), "--dc", dc)));
    }

    private JavaApp started(List<String> arguments) throws IOException {
      port = freePort();
      arguments.addAll(List.of("--health-port", Integer.toString(port)));
      var app =
          stack.startApp(
              new JavaApp.Spec(
                  "herb-%s-%d".formatted(topics.instance(), port),
                  HOME.resolve("herb-replicator/target/app"),
                  "io.cellmesh.herb.HerbReplicatorMain",
                  arguments,
                  Map.of(),
                  List.of("-Xmx128m", "-XX:TieredStopAtLevel=1")));
      APPS.add(app);
      return app;
    }

    HttpResponse<String> health() throws Exception {
      var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health"));
      return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    void awaitHealth(String... words) {
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(health().body()).contains(words));
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

    /** A cell for the mesh topic under the next id of a shard, of which dc2's log has another. */
    ProducerRecord<byte[], byte[]> forged(int shard) throws Exception {
      var row = UUID.randomUUID();
      while (SHARDS.of(row) != shard) {
        row = UUID.randomUUID();
      }
      var key = new CellKey(row, "BASE", 1);
      var origin = new Origin("dc2", lastId.get(shard) + 1);
      return new ProducerRecord<>(
          topics.mesh(),
          SHARDS.partitionOf(shard),
          Envelope.key(key),
          Envelope.write(new Cell(key, Body.ofJson("{\"n\":2}"), Optional.of(origin))));
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

    /** The places of dc1's link that are kept in dc1. */
    Map<Integer, Long> places() {
      var places = new TreeMap<Integer, Long>();
      var known = new MeshPlaces(KafkaAccess.plain(kafka("dc1")), topics.meshPlace()).read();
      known.forEach(
          (key, value) ->
              MeshPlace.parse(value)
                  .ifPresent(
                      place ->
                          places.put(
                              Integer.parseInt(key.substring("dc2:".length())), place.next())));
      return places;
    }

    void forgetPlaces() {
      try (var writer =
          new MeshPlaces(KafkaAccess.plain(kafka("dc1")), topics.meshPlace()).writer()) {
        var gone = new HashMap<String, String>();
        places().keySet().forEach(partition -> gone.put(MeshPlace.key("dc2", partition), null));
        writer.write(gone);
      }
    }

    Map<Integer, Long> ends() {
      var ends = new TreeMap<Integer, Long>();
      try (var consumer = consumer("dc2")) {
        consumer
            .endOffsets(partitions(topics.log()))
            .forEach((at, end) -> ends.put(at.partition(), end));
      }
      return ends;
    }

    void commitEnds() throws Exception {
      try (var admin = stack.broker("dc2").admin()) {
        var ends = new HashMap<TopicPartition, OffsetAndMetadata>();
        ends()
            .forEach(
                (partition, end) ->
                    ends.put(
                        new TopicPartition(topics.log(), partition), new OffsetAndMetadata(end)));
        admin.alterConsumerGroupOffsets(topics.instance() + "-herb-dc1", ends).all().get();
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
    return producer("dc2");
  }

  private static KafkaProducer<byte[], byte[]> producer(String dc) {
    return new KafkaProducer<>(
        Map.<String, Object>of("bootstrap.servers", kafka(dc)),
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
