package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.MeshPlace;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
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
    stack = MeshInstance.brokers(dir.resolve("stack"));
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
    var app = trips.app("--peer", "dc2=" + bootstrap("dc2"), "--peer", "dc3=" + DEAD);
    int sent = trips.send(500);
    await().atMost(PATIENCE).until(() -> trips.arrived().size() >= 500);

    app.kill();
    sent += trips.send(500);
    app.restart();
    int soFar = sent;
    await().atMost(PATIENCE).until(() -> trips.distinct().size() >= soFar);

    stack.broker("dc1").kill();
    sent += trips.send(500);
    stack.broker("dc1").restart();
    int all = sent;
    await().atMost(PATIENCE).until(() -> trips.distinct().size() >= all);

    assertThat(trips.distinct()).hasSize(all);
    // Started again once itself, and once more when its broker came back.
    trips.assertInOrder(2);
    trips.awaitHealth(
        "\"dc2\":{\"state\":\"RUNNING\",\"behind\":0,", "\"dc3\":{\"state\":\"WAITING\"");
    assertThat(trips.health().statusCode()).isEqualTo(503);
    app.stop();
    assertThat(Files.readString(app.log())).contains("Link of trips to dc3: waiting", "Stopped");
  }

  @Test
  void aPeerThatFallsSilentIsSaidToBeAwayAndIsReadOnOnceItIsBack() throws Exception {
    var silent = new Instance("silent");
    silent.app("--peer", "dc2=" + bootstrap("dc2"));
    silent.send(100);
    await().atMost(PATIENCE).until(() -> silent.arrived().size() >= 100);

    stack.broker("dc2").pause();
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> silent.health().body().contains("\"dc2\":{\"state\":\"WAITING\""));
    } finally {
      stack.broker("dc2").resume();
    }
    silent.send(100);
    await().atMost(PATIENCE).until(() -> silent.distinct().size() >= 200);
    silent.assertInOrder(2);
  }

  @Test
  void aPeerWithOtherPartitionsIsRefusedInWords() throws Exception {
    stack.broker("dc2").create(new NewTopic("riders.log", 8, (short) 1));
    var riders = new Instance("riders");
    riders.app("--peer", "dc2=" + bootstrap("dc2"));
    riders.awaitHalt(
        "riders.log at",
        "has 8 partitions, the topology says partitions: 16; every data centre must have the same");
  }

  @Test
  void anAddressThatIsNotThePeersIsRefusedInWordsAndNoCellIsTaken() throws Exception {
    var own = new Instance("own");
    own.app("--peer", "dc2=" + bootstrap("dc1"));
    own.awaitHalt("is the Kafka of this data centre itself, not of dc2");

    // The peer's own application says there who it is.
    var named = new Instance("named");
    var there = named.app(named.topology("dc2"), "dc2", "--peer", "dc1=" + DEAD);
    named.send(100);
    await()
        .atMost(PATIENCE)
        .until(() -> Files.readString(there.log()).contains("Link of named to dc1: wait"));
    var app = named.app("--peer", "dc3=" + bootstrap("dc2"));
    named.awaitHalt("is not dc3: it says that it is {\\\"datacenter\\\":\\\"dc2\\\"");
    assertThat(named.arrived()).isEmpty();
    app.stop();

    named.app("--peer", "dc2=" + bootstrap("dc2"));
    await().atMost(PATIENCE).until(() -> named.arrived().size() >= 100);
    await().atMost(PATIENCE).until(() -> named.health().statusCode() == 200);
  }

  @Test
  @Tag("full")
  void offsetsThatKafkaForgotAreNoGap() throws Exception {
    var idle = new Instance("idle");
    var app = idle.app("--peer", "dc2=" + bootstrap("dc2"));
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
    await().atMost(PATIENCE).until(() -> idle.distinct().size() == 200);
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
    older.app("--peer", "dc2=" + bootstrap("dc2"));
    await().atMost(PATIENCE).until(() -> older.arrived().size() >= 30);
    await().atMost(PATIENCE).until(() -> older.places().equals(older.ends()));
    assertThat(older.arrived()).hasSize(30);
  }

  /** No broker of the other data centre is known to either. */
  @Test
  @Tag("full")
  void aPeerWhoseBrokersNobodyMayReachIsReadOverHttp() throws Exception {
    var closed = new Instance("closed");
    for (var dc : List.of("dc1", "dc2")) {
      closed.create(dc, closed.topics.checkpoint(), MeshInstance.SHARDS.partitions());
    }
    int port = DevStack.freePort();
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
    await().atMost(PATIENCE).until(() -> closed.health().statusCode() == 200);
    closed.awaitHealth("\"agreed\":200,");

    app.kill();
    closed.send(200);
    app.restart();
    await().atMost(PATIENCE).until(() -> closed.distinct().size() >= 400);
    closed.assertInOrder(1);
    closed.awaitHealth("\"agreed\":400,", "\"differences\":[]");
  }

  @Test
  void whatIsTamperedWithOnTheWayIsNamedAndWhatIsNotIsProvedThroughKills() throws Exception {
    var proved = new Instance("proved");
    for (var dc : List.of("dc1", "dc2")) {
      proved.create(dc, proved.topics.checkpoint(), MeshInstance.SHARDS.partitions());
    }
    var there = proved.app(proved.topology("dc2"), "dc2", "--peer", "dc1=" + bootstrap("dc1"));
    var here = proved.app("--peer", "dc2=" + bootstrap("dc2"));
    proved.send(300);
    proved.awaitHealth("\"agreed\":300,\"held\":0,\"waiting\":0,\"absent\":0");
    here.kill();
    there.kill();
    proved.send(300);
    there.restart();
    here.restart();
    proved.awaitHealth("\"agreed\":600,", "\"differences\":[]");

    int shard = proved.shard();
    proved.forge(shard);
    proved.send(1_000);
    proved.awaitHealth(" in the mesh, shard %d, origin_id ".formatted(shard));
  }

  @Test
  void instances_of_one_process_fail_each_on_its_own_and_come_and_go_with_its_file()
      throws Exception {
    stack.broker("dc2").create(new NewTopic("ill.log", 8, (short) 1));
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
      new DeploymentFiles(dir).write(name, 16, bootstrap("dc1"), bootstrap("dc2"));
      list.append("- {instance: %1$s, deployment: %1$s.yaml}\n".formatted(name));
    }
    return Files.writeString(dir.resolve("cohorts.yaml"), list);
  }

  private static JavaApp cohort(Path list, Instance... instances) throws IOException {
    int port = DevStack.freePort();
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
  private static final class Instance extends MeshInstance {
    private int port;

    Instance(String name) {
      super(stack, name);
    }

    Path topology(String dc) throws IOException {
      return Files.writeString(dir.resolve(topics.instance() + "-" + dc + ".yaml"), yaml(dc));
    }

    JavaApp app(String... peers) throws IOException {
      return app(topology("dc1"), "dc1", peers);
    }

    JavaApp app(Path topology, String dc, String... peers) throws IOException {
      var arguments =
          new ArrayList<>(List.of("--topology", topology.toString(), "--bootstrap", bootstrap(dc)));
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
                  topics.instance(),
                  dc,
                  topology(dc),
                  bootstrap(dc),
                  mesh,
                  other,
                  topology(other)));
      return started(List.of("--deployment", file.toString(), "--dc", dc));
    }

    private JavaApp started(List<String> arguments) throws IOException {
      port = DevStack.freePort();
      return HerbReplicatorIT.start(topics.instance(), arguments, port);
    }

    HttpResponse<String> health() throws Exception {
      return health("");
    }

    HttpResponse<String> health(String query) throws Exception {
      var at = URI.create("http://127.0.0.1:%d/health%s".formatted(port, query));
      var request = HttpRequest.newBuilder(at);
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

    void forgetPlaces() {
      try (var writer = new MeshPlaces(kafka("dc1"), topics.meshPlace()).writer()) {
        var gone = new HashMap<String, String>();
        places().keySet().forEach(partition -> gone.put(MeshPlace.key("dc2", partition), null));
        writer.write(gone);
      }
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
  }

  private static String bootstrap(String dc) {
    return stack.broker(dc).bootstrap();
  }
}
