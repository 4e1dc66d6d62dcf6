package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.connect.client.ConnectClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker and a Connect worker, with the file connectors that Kafka brings along. */
class KafkaAndConnectIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Map<String, String> LINES = Map.of("topics", "lines");

  @TempDir static Path dir;

  private static DevStack stack;

  @BeforeAll
  static void start() throws Exception {
    stack =
        DevStack.start(
            Options.defaults()
                .withDatacenters(1)
                .withoutMySql()
                // By default a killed worker's sink blocks its partitions for 45 seconds.
                .withWorkerSetting("consumer.session.timeout.ms", "6000"),
            Progress.silent());
    stack.broker("dc1").create(new NewTopic("lines", 4, (short) 1));
  }

  @AfterAll
  static void stop() {
    var stateDir = stack.stateDir();
    stack.close();
    assertThat(stateDir).doesNotExist();
  }

  @Test
  void aConnectorRunsAndOutlivesItsWorkersAndItsBrokersDeath() throws Exception {
    var from = Files.writeString(dir.resolve("from"), "one\n");
    var to = dir.resolve("to");
    var client = stack.worker("dc1").client();
    client.put("reader", fileConnector("Source", from, Map.of("topic", "lines")));
    client.put("writer", fileConnector("Sink", to, Map.of("topics", "lines")));
    client.awaitRunning("reader", SOON);
    client.awaitRunning("writer", SOON);
    awaitLines(to, "one");

    stack.worker("dc1").kill();
    stack.broker("dc1").kill();
    stack.broker("dc1").restart();
    stack.worker("dc1").restart();

    client.awaitRunning("reader", SOON);
    Files.writeString(from, "one\ntwo\n");
    awaitLines(to, "one", "two");
    client.delete("reader");
    client.delete("writer");
    // Connect answers before its status topic says so.
    await().atMost(SOON).until(() -> client.status("reader").isEmpty());
  }

  @Test
  void whatAKilledBrokerLeftInItsTemporaryDirectoryGoesWithItsNextStart() throws IOException {
    var left = stack.stateDir().resolve("tmp/dc1-kafka/left");
    Files.writeString(left, "");
    stack.broker("dc1").kill();

    stack.broker("dc1").restart();

    assertThat(left).doesNotExist();
    assertThat(left.getParent()).isDirectory();
  }

  @Test
  void aFailedConnectorIsToldWithItsReason() {
    var client = stack.worker("dc1").client();
    client.put(
        "hopeless",
        fileConnector("Sink", dir.resolve("missing/directory/file"), Map.of("topics", "lines")));

    assertThatThrownBy(() -> client.awaitRunning("hopeless", SOON))
        .isInstanceOf(ConnectClientException.class)
        .hasMessageContaining("hopeless failed")
        .hasMessageContaining("missing/directory/file");
    client.delete("hopeless");
  }

  @Test
  void aConnectorReadsSecretsAndNoOtherFileOfTheWorkersUser() throws IOException {
    var client = stack.worker("dc1").client();
    var secret = stack.stateDir().resolve("secrets").resolve("it.properties");
    var other = dir.resolve("other.properties");
    Files.writeString(secret, "path=" + dir.resolve("of-a-secret"));
    Files.writeString(other, "path=" + dir.resolve("of-another"));

    for (var file : List.of(other, secret)) {
      var reference = "${file:%s:path}".formatted(file);
      client.put("reads-" + file.getFileName(), fileConnector("Sink", Path.of(reference), LINES));
    }

    await().atMost(SOON).until(() -> Files.exists(dir.resolve("of-a-secret")));
    await()
        .atMost(SOON)
        .until(() -> client.status("reads-other.properties").flatMap(c -> c.failure()).isPresent());
    assertThat(dir.resolve("of-another")).doesNotExist();
    client.delete("reads-other.properties");
    client.delete("reads-it.properties");
  }

  @Test
  void aBadConfigurationIsToldBySetting() {
    var client = stack.worker("dc1").client();

    assertThat(
            client.validate(
                Map.of("connector.class", "FileStreamSinkConnector", "topics", "lines")))
        .containsOnlyKeys("name");
    assertThat(
            client.validate(fileConnector("Sink", dir, Map.of("topics", "lines", "name", "file"))))
        .isEmpty();
  }

  @Test
  void theBrokerTakesRecordsOfFourMebibytesAndKeepsThem() {
    assertThat(stack.broker("dc1").properties())
        .content()
        .contains("message.max.bytes=4259840", "log.retention.ms=-1")
        .contains("auto.create.topics.enable=false");
  }

  @Test
  void itsMemoryIsKnownByKind() {
    var memory = stack.memory();

    assertThat(memory.now().keySet()).isEqualTo(Set.of("kafka", "connect"));
    assertThat(memory.total()).isBetween(50_000L, 2_000_000L);
    assertThat(memory.peak()).isGreaterThanOrEqualTo(memory.total());
  }

  @Test
  void theLogsSayWhatRuns() {
    for (var child : stack.children()) {
      assertThat(child.log()).isNotEmptyFile();
    }
  }

  private static Map<String, String> fileConnector(
      String kind, Path file, Map<String, String> more) {
    var config = new java.util.HashMap<>(more);
    config.put("connector.class", "FileStream" + kind + "Connector");
    config.put("file", file.toString());
    config.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
    config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
    config.remove(kind.equals("Source") ? "topics" : "topic");
    return config;
  }

  private static void awaitLines(Path file, String... lines) {
    await()
        .atMost(SOON)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() -> assertThat(Files.readAllLines(file)).contains(lines));
  }
}
