package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.Pass;
import io.cellmesh.devstack.DevStack;
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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;

/** The application as it is shipped, in a process of its own, against a real broker. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(
    value = IndexStreamsIT.BROKER,
    mode = ResourceAccessMode.READ,
    target = ResourceLockTarget.CHILDREN)
class IndexStreamsIT {
  static final String BROKER = "broker of IndexStreamsIT";

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** The second one also takes the state. */
  private static final int KILLS = "full".equals(System.getProperty("cellmesh.figures")) ? 3 : 2;

  private static final String BY_DRIVER =
      """
          table: by_driver
          datastore: %s
          column_defs:
            - column_key: BASE
              fields:
                - {field: driver, type: string}
            - column_key: STATUS
              fields:
                - {field: state, type: string}
          """;
  private static final String BY_STATE =
      """
          table: by_state
          version: 2
          datastore: %s
          column_defs:
            - column_key: STATUS
              fields:
                - {field: state, type: string}
          """;

  private static DevStack broker;

  @TempDir Path dir;

  private TestInstance instance;
  private IndexDefinition byDriver;
  private IndexDefinition byState;

  @BeforeAll
  static void startBroker(@TempDir Path dir) {
    // Each look costs a consumer, or a client.
    Awaitility.setDefaultPollInterval(Duration.ofMillis(500));
    broker = TestInstance.broker(dir.resolve("stack"));
  }

  @AfterAll
  static void stopBroker() {
    Awaitility.reset();
    broker.close();
  }

  @BeforeEach
  void start() throws Exception {
    instance = new TestInstance(broker, dir);
    byDriver = IndexDefinition.parse(BY_DRIVER.formatted(instance.name()));
    byState = IndexDefinition.parse(BY_STATE.formatted(instance.name()));
  }

  @AfterEach
  void stop() {
    instance.close();
  }

  @Test
  void killedAndRobbedOfItsStateItEndsWithTheEntriesOfTheCells() throws Exception {
    instance.add("p1", List.of(byDriver), false);
    var app = instance.app("a");
    for (int kill = 0; kill < KILLS; kill++) {
      instance.send(500);
      int soFar = instance.sent();
      await()
          .atMost(PATIENCE)
          .until(() -> instance.count(instance.topics().index("by_driver")) > soFar / 4);
      app.kill();
      if (kill == 1) {
        TestInstance.delete(instance.state("a"));
      }
      instance.send(200);
      app.restart();
    }
    awaitEntries(byDriver);

    app.stop();
    assertThat(Files.readString(app.log())).contains("Stopped").doesNotContain(" ERROR ");

    instance.damageFiles("a");
    instance.sendWithoutTime(100);
    app.restart();
    instance.send(100);
    awaitEntries(byDriver);
    assertThat(Files.readString(app.log())).contains("removed and restored from the changelog");
    app.stop();
  }

  @Test
  void aPassWhoseStateCantBeReadHaltsInWordsAloneAndGoesOnOnceThatIsMended() throws Exception {
    instance.add("p1", List.of(byDriver), false);
    instance.send(300);
    int port = DevStack.freePort();
    var app = instance.app("a", "--health-port", Integer.toString(port));
    awaitEntries(byDriver);
    app.stop();
    instance.damageChangelog("p1");
    TestInstance.delete(instance.state("a"));
    instance.add("p2", List.of(byState), false);
    app.restart();
    instance.send(100);

    awaitHalt(
        port,
        "its state can't be read, nor what was restored from its changelog: row 0000",
        "delete " + instance.changelog("p1"),
        "cellmesh index create");
    awaitEntries(byState);

    instance.deleteChangelog("p1");
    instance.send(100);
    awaitEntries(byDriver);
    await().atMost(PATIENCE).ignoreExceptions().until(() -> health(port).statusCode() == 200);
    assertThat(Files.readString(app.log()))
        .contains("is gone, so it reads everything again, from the first record of each topic");

    // The state is gone, and the cells that it was made of.
    app.stop();
    instance.deleteChangelog("p1");
    instance.cut();
    instance.send(100);
    app.restart();
    awaitHalt(port, "no longer have the first records", "cellmesh index create");
  }

  @Test
  void passesComeAndGoWhileOthersRunAndTheHealthSaysSo() throws Exception {
    instance.add("p1", List.of(byDriver), false);
    instance.send(300);
    int port = DevStack.freePort();
    var app = instance.app("a", "--health-port", Integer.toString(port));
    awaitEntries(byDriver);

    // The rest of the cells is no longer in the log, only in the backfill.
    instance.add("p2", List.of(byState), true);
    instance.send(instance.topics().indexBackfill("p2"), 300);
    instance.send(100);
    awaitEntries(byState);
    await().atMost(PATIENCE).until(() -> health(port).statusCode() == 200);
    assertThat(health(port).body())
        .contains(
            "\"p1\":{\"state\":\"RUNNING\",\"threads\":1,\"behind\":0,\"lag_ms\":", "\"p2\":");

    instance.write("p3", "{\"v\":1}");
    await().atMost(PATIENCE).until(() -> health(port).statusCode() == 503);
    assertThat(health(port).body())
        .contains(instance.topics().passes() + " at ", "offset 2: backfill: is missing");
    instance.passes().remove("p3");
    await().atMost(PATIENCE).until(() -> health(port).statusCode() == 200);

    var p2 = instance.state("a").resolve(instance.group("p2"));
    assertThat(p2).isDirectory();
    instance.passes().remove("p2");
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(p2).doesNotExist());
    assertThat(health(port).body()).contains("\"p1\"").doesNotContain("\"p2\"");
    assertThat(app.isAlive()).isTrue();
  }

  @Test
  @Tag("full")
  void aTopicOfPassesThatIsLostEndsNoPassAndWipesNoState() throws Exception {
    instance.add("p1", List.of(byDriver), false);
    instance.send(300);
    int port = DevStack.freePort();
    var app = instance.app("a", "--health-port", Integer.toString(port));
    awaitEntries(byDriver);
    var state = instance.state("a").resolve(instance.group("p1"));

    instance.losePasses();
    // What is said at first may be that Kafka does not answer for it.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(health(port))
                    .returns(503, HttpResponse::statusCode)
                    .extracting(HttpResponse::body)
                    .asString()
                    .contains("there is no " + instance.topics().passes() + " at "));
    instance.send(100);
    awaitEntries(byDriver);
    instance.passes().create();
    await().atMost(PATIENCE).until(() -> health(port).statusCode() == 200);
    instance.send(100);
    awaitEntries(byDriver);
    assertThat(state).isDirectory();

    app.stop();
    app.restart();
    await()
        .atMost(PATIENCE)
        .until(() -> Files.readString(app.log()).contains("The local state of pass p1 stays in"));
    instance.send(100);
    instance.passes().put(new Pass("p1", List.of(byDriver), false));
    awaitEntries(byDriver);
    app.stop();
    assertThat(Files.readString(app.log())).doesNotContain("Restored", "Removed the local state");
  }

  @Test
  void processesShareAPassAndOneThatIsStoppedHandsItsPartOverAtOnce() throws Exception {
    instance.add("p1", List.of(byDriver), false);
    var stays = instance.app("a", "--standbys", "1");
    var goes = instance.app("b", "--standbys", "1");
    instance.send(500);
    await().atMost(PATIENCE).ignoreExceptions().until(() -> membersWithWork() == 2);
    goes.stop();
    instance.send(300);
    awaitEntries(byDriver);
    assertThat(stays.isAlive()).isTrue();
  }

  @Test
  void sigtermCommitsEveryPassAndEndsWithZero() throws Exception {
    instance.add("p1", List.of(byDriver), false);
    instance.add("p2", List.of(byState), false);
    instance.send(500);
    var log = dir.resolve("a.log");
    var process = run(log, "a");
    awaitEntries(byDriver);
    awaitEntries(byState);

    process.destroy();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    assertThat(committed("p1")).isEqualTo(500);
    assertThat(committed("p2")).isEqualTo(500);

    // What it left is complete: nothing is restored, and nothing said again.
    long entries = instance.count(instance.topics().index("by_driver"));
    var again = instance.app("a");
    instance.send(1);
    awaitEntries(byDriver);
    again.stop();
    assertThat(Files.readString(again.log())).doesNotContain("Restored", " ERROR ");
    assertThat(instance.count(instance.topics().index("by_driver")))
        .isLessThanOrEqualTo(entries + 2);
  }

  @Test
  @Tag("full")
  @ResourceLock(BROKER)
  void aKafkaThatDoesNotAnswerYetIsWaitedFor() throws Exception {
    instance.add("p1", List.of(byDriver), false);
    instance.send(100);
    instance.silence();
    var app = instance.app("a");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                Files.readString(app.log())
                    .contains("no state is removed: " + instance.topics().passes() + " at"));
    instance.answer();
    awaitEntries(byDriver);
    assertThat(app.isAlive()).isTrue();
  }

  @Test
  void itIsNotStartedIfNoPassCanBe() throws Exception {
    instance.create(instance.topics().index("by_driver"), 4);
    instance.passes().put(new Pass("p1", List.of(byDriver), false));
    var log = dir.resolve("a.log");
    assertThat(run(log, "a").waitFor()).isEqualTo(2);
    assertThat(Files.readString(log))
        .contains("these topics must have 16 partitions")
        .contains("{" + instance.topics().index("by_driver") + "=4}");

    instance.write("p1", "{");
    assertThat(run(log, "a").waitFor()).isEqualTo(2);
    assertThat(Files.readString(log)).contains("offset 1: the value is no JSON");

    assertThat(run(log, "a", "--indexes", dir.toString()).waitFor()).isEqualTo(2);
    assertThat(Files.readString(log))
        .contains("--indexes: passes are read from the topic", "`cellmesh index publish`");
  }

  @Test
  void whatExpiredUnreadHaltsAPassUntilThatIsAcceptedAndThenItGoesOnByItself() throws Exception {
    instance.add("p1", List.of(byDriver), false);
    instance.send(300);
    int port = DevStack.freePort();
    var app = instance.app("a", "--health-port", Integer.toString(port));
    awaitEntries(byDriver);
    app.stop();
    instance.send(100);
    instance.cut();

    app.restart();
    awaitHalt(port, "records ", "expired before they were read", "cellmesh index accept --pass p1");
    assertThat(app.isAlive()).isTrue();
    instance.accept("p1");
    await().atMost(PATIENCE).ignoreExceptions().until(() -> health(port).statusCode() == 200);

    // Retention that passes it while it runs.
    app.pause();
    // The first may be the answer to what it has asked before; nobody asks for the second.
    instance.send(100);
    instance.send(100);
    instance.cut();
    instance.send(100);
    app.resume();
    awaitHalt(port, "expired before they were read");
  }

  @Test
  @Tag("full")
  void offsetsThatKafkaForgotAreNoGap() throws Exception {
    instance.add("p1", List.of(byDriver), false);
    instance.send(300);
    int port = DevStack.freePort();
    var app = instance.app("a", "--health-port", Integer.toString(port));
    awaitEntries(byDriver);
    app.stop();
    instance.forget("p1");
    instance.send(100);
    app.restart();
    awaitEntries(byDriver);
    assertThat(Files.readString(app.log())).contains("its offsets are gone");

    app.stop();
    instance.forget("p1");
    instance.cut();
    app.restart();
    awaitHalt(port, "the group has no offset", "no longer has the records before");

    // A pass that never ran begins where the log does.
    instance.add("p2", List.of(byState), true);
    instance.send(instance.topics().indexBackfill("p2"), 100);
    await()
        .atMost(PATIENCE)
        .until(() -> instance.count(instance.topics().index("by_state.v2")) > 0);
  }

  private void awaitHalt(int port, String... words) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(health(port).body()).contains("\"state\":\"HALTED\"").contains(words);
              assertThat(health(port).statusCode()).isEqualTo(503);
            });
  }

  private void awaitEntries(IndexDefinition definition) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(instance.standing(definition)).isEqualTo(instance.expected(definition)));
  }

  private long membersWithWork() throws Exception {
    try (var admin = instance.admin()) {
      var group = instance.group("p1");
      var described = admin.describeConsumerGroups(List.of(group)).all().get();
      return described.get(group).members().stream()
          .filter(m -> !m.assignment().topicPartitions().isEmpty())
          .count();
    }
  }

  private long committed(String pass) throws Exception {
    try (var admin = instance.admin()) {
      var group = instance.group(pass);
      return admin
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get()
          .values()
          .stream()
          .mapToLong(o -> o.offset())
          .sum();
    }
  }

  /** A process whose exit value can be asked for. */
  private Process run(Path log, String name, String... more) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(TestInstance.FLAGS);
    command.addAll(List.of("-cp", TestInstance.APP + "/*", TestInstance.MAIN));
    command.addAll(instance.arguments(name, more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  private static HttpResponse<String> health(int port) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health"));
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }
}
