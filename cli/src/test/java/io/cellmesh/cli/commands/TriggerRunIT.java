package io.cellmesh.cli.commands;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.EnvelopeWriter;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Shards;
import io.cellmesh.cli.Main;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code trigger run} as a process of its own, with a real broker and a receiver. */
class TriggerRunIT {
  private static final Shards SHARDS = new Shards(64, 16);
  private static final int ROWS = 40;
  private static final int CELLS_A_ROW = 8;
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String TOPOLOGY =
      """
      instance: trips
      shards: 64
      partitions: 16
      datacenter: dc1
      clusters:
        - {name: c1, shards: "0-63", epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
      """;

  @TempDir private Path dir;

  private final List<LogRecord> written = new ArrayList<>();
  private final Map<Integer, Long> lastId = new HashMap<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private int healthPort;

  @Test
  void cells_are_posted_in_order_and_none_is_skipped_or_comes_twice_after_an_orderly_end()
      throws Exception {
    var options =
        Options.defaults()
            .withStateDir(dir.resolve("stack"))
            .withDatacenters(1)
            .withoutMySql()
            .withWorkers(0);
    try (var stack = DevStack.start(options, Progress.silent());
        var receiver = new CellReceiver()) {
      var broker = stack.broker("dc1");
      broker.create(new NewTopic("trips.log", Optional.of(16), Optional.empty()));
      writeDeployment(broker.bootstrap());
      healthPort = DevStack.freePort();

      receiver.answer(500);
      write(broker.bootstrap(), 1);
      var first = run(receiver, "first");
      try {
        await().atMost(SOON).until(() -> says("HALTED"));
        assertThat(get("/health").statusCode()).isEqualTo(503);
        assertThat(get("/metrics").body())
            .contains("cellmesh_trigger_halted{trigger=\"billing\"} 1.0");
        assertThat(receiver.done()).isEmpty();

        receiver.answer(200);
        await().atMost(SOON).until(() -> receiver.done().size() == posted().size());
        await().atMost(SOON).until(() -> get("/health").statusCode() == 200 && says("RUNNING"));
        assertThat(get("/metrics").body())
            .contains("cellmesh_trigger_up{trigger=\"billing\"} 1.0")
            .contains("cellmesh_trigger_parked_total{trigger=\"billing\"} 0.0")
            .contains("cellmesh_trigger_partitions{trigger=\"billing\"} 16.0");

        // So long that all can't be done before it is told to end.
        receiver.takes(Duration.ofMillis(500));
        write(broker.bootstrap(), 1 + CELLS_A_ROW);
        int before = receiver.done().size();
        await().atMost(SOON).until(() -> receiver.done().size() > before + ROWS);
        first.destroy();
        assertThat(first.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(first.exitValue()).as(Files.readString(log("first"))).isZero();
        assertThat(receiver.done().size()).as("it ended amid its work").isLessThan(posted().size());
      } finally {
        first.destroyForcibly();
      }

      receiver.takes(Duration.ZERO);
      var second = run(receiver, "second");
      try {
        await().atMost(SOON).until(() -> receiver.done().size() >= posted().size());
        assertPostedOnceEachInOrder(receiver.done());
      } finally {
        second.destroyForcibly();
      }
    }
    assertLogIsJson();
  }

  private void write(String bootstrap, int firstRef) throws Exception {
    try (var envelopes = new EnvelopeWriter();
        var producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      for (int ref = firstRef; ref < firstRef + CELLS_A_ROW; ref++) {
        for (int row = 0; row < ROWS; row++) {
          var record = record(new UUID(7, row), row % 5 == ref % 5 ? "OTHER" : "BASE", ref);
          written.add(record);
          producer.send(
              new ProducerRecord<>(
                  "trips.log",
                  SHARDS.partitionOf(record.shard()),
                  record.cell().key().rowKey().toString().getBytes(UTF_8),
                  envelopes.write(record)));
        }
      }
    }
  }

  private LogRecord record(UUID row, String column, long ref) throws Exception {
    int shard = SHARDS.of(row);
    long id = lastId.merge(shard, 1L, Long::sum);
    var body = Body.ofJson("{\"fare\":" + ref + "}");
    var cell = new Cell(new CellKey(row, column, ref), body, Optional.of(new Origin("dc1", id)));
    return new LogRecord(cell, shard, id, Instant.now());
  }

  /** What the receiver has to get. */
  private List<LogRecord> posted() {
    return written.stream().filter(r -> r.cell().key().columnName().equals("BASE")).toList();
  }

  private void writeDeployment(String bootstrap) throws IOException {
    Files.writeString(dir.resolve("topology.yaml"), TOPOLOGY);
    Files.writeString(
        dir.resolve("cellmesh.yaml"),
        """
        instance: trips
        datacenters:
          - {name: dc1, topology: topology.yaml, kafka: {bootstrap: "%s"}}
        """
            .formatted(bootstrap));
  }

  private Process run(CellReceiver receiver, String label) throws IOException {
    Files.writeString(
        dir.resolve("billing.properties"),
        "url=%s\nback.off=100ms..1s\n".formatted(receiver.url()));
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Dcellmesh.home=" + System.getProperty("cellmesh.home"));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(List.of(Main.class.getName(), "trigger", "run", "--name", "billing"));
    command.addAll(List.of("--deployment", dir.resolve("cellmesh.yaml").toString()));
    command.addAll(List.of("--config", dir.resolve("billing.properties").toString()));
    command.addAll(List.of("--column", "BASE", "--health-port", Integer.toString(healthPort)));
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log(label).toFile());
    builder.environment().put("CELLMESH_LOG_FORMAT", "json");
    return builder.start();
  }

  private Path log(String label) {
    return dir.resolve(label + ".log");
  }

  private boolean says(String state) {
    try {
      return get("/health").body().contains("\"state\":\"%s\"".formatted(state));
    } catch (IOException | InterruptedException e) {
      return false;
    }
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:" + healthPort + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private void assertPostedOnceEachInOrder(List<CellReceiver.Place> done) {
    assertThat(done)
        .containsExactlyInAnyOrderElementsOf(
            posted().stream().map(r -> new CellReceiver.Place(r.shard(), r.addedId())).toList());
    var last = new HashMap<Integer, Long>();
    for (var place : done) {
      var before = last.put(place.shard(), place.addedId());
      assertThat(before == null || before < place.addedId())
          .as("%s after %s", place, before)
          .isTrue();
    }
  }

  /** Each line says whose it is, though commands log in another way. */
  private void assertLogIsJson() throws IOException {
    var lines = Files.readAllLines(log("first"));
    assertThat(lines).isNotEmpty();
    for (var line : lines) {
      assertThat(new ObjectMapper().readTree(line).path("application").asText())
          .as(line)
          .isEqualTo("trigger");
    }
  }
}
