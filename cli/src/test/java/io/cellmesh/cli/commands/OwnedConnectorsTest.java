package io.cellmesh.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.sun.net.httpserver.HttpServer;
import io.cellmesh.cli.Captured;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the commands say that change connectors which Strimzi owns. */
class OwnedConnectorsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String GO_ON =
      """
        kubectl annotate -n cells kafkaconnector -l strimzi.io/cluster=workers strimzi.io/pause-reconciliation-
        kubectl annotate -n cells kafkaconnect workers strimzi.io/pause-reconciliation-
      """;

  @TempDir private Path dir;

  private final Map<String, Map<String, String>> connectors = new TreeMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Console console =
      new Console(
          new PrintStream(out, true, StandardCharsets.UTF_8),
          new PrintStream(err, true, StandardCharsets.UTF_8),
          Terminal.NONE);

  private HttpServer connect;

  /** As much of Connect's REST interface as names its connectors and their settings. */
  @BeforeEach
  void start() throws IOException {
    connect = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    connect.createContext(
        "/connectors",
        exchange -> {
          try (exchange) {
            var parts = exchange.getRequestURI().getPath().split("/");
            var answer = parts.length == 2 ? connectors.keySet() : connectors.get(parts[2]);
            var bytes = JSON.writeValueAsBytes(answer);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        });
    connect.start();
    connectors.put(
        "trips-sink",
        Map.of(
            "name", "trips-sink",
            "connector.class", "io.cellmesh.connect.sink.CellSinkConnector",
            "tasks.max", "2",
            "topology", "instance: trips\nshards: 4\n",
            "mysql.password", "${directory:/mnt/a:sink}",
            "topic.creation.log.retention.ms", "-1"));
    connectors.put("somebody-elses", Map.of("connector.class", "io.cellmesh.connect.X"));
    connectors.put("trips-other", Map.of("connector.class", "com.example.Sink"));
  }

  @AfterEach
  void stop() {
    connect.stop(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "promote --cluster c1 --to db2:3306",
        "minion add --cluster c1 --server db5:3306",
        "minion remove --cluster c1 --server db2:3306",
        "log rebuild --yes",
        "index create FILE",
        "index drop drivers --of-version 1 --yes"
      })
  void nothing_is_done_before_the_operator_is_paused(String command) throws IOException {
    var definition =
        Files.writeString(
            dir.resolve("drivers.yaml"),
            "table: drivers\ndatastore: trips\ncolumn_defs: [{column_key: BASE, fields: [{field: id, type: UUID}]}]\n");
    var args = new ArrayList<>(List.of(command.replace("FILE", definition.toString()).split(" ")));
    args.addAll(List.of("--deployment", deployment(true).toString()));

    var run = Captured.run(args.toArray(String[]::new));

    assertThat(run.exitCode()).isNotZero();
    assertThat(run.err())
        .contains("Strimzi owns the connectors of dc1", "--reconciliation-paused:")
        .contains(
            "\n  kubectl annotate -n cells --overwrite kafkaconnect workers strimzi.io/pause-reconciliation=true\n")
        .contains(
            "\n  kubectl annotate -n cells --overwrite kafkaconnector -l strimzi.io/cluster=workers strimzi.io/pause-reconciliation=true\n");
  }

  @Test
  void connectors_are_not_posted_past_the_operator() throws IOException {
    var run = Captured.run("connectors", "apply", "--deployment", deployment(true).toString());

    assertThat(run.exitCode()).isNotZero();
    assertThat(run.err())
        .contains("Strimzi owns the connectors of dc1", "connectors render --format strimzi");
  }

  @Test
  void the_resources_say_what_Connect_has() throws IOException {
    owned("--reconciliation-paused", "--out", dir.toString()).handOver(console, dc(true));

    var file = dir.resolve("dc1-connectors.yaml");
    var resource = new ObjectMapper(new YAMLFactory()).readTree(file.toFile());
    assertThat(settings(resource)).isEqualTo(connectors.get("trips-sink"));
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("  kubectl apply -n cells -f %s\n%s".formatted(file, GO_ON));
    assertThat(out.size()).isZero();
  }

  @Test
  void without_a_directory_they_are_printed() throws IOException {
    owned("--reconciliation-paused").handOver(console, dc(true));

    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("apiVersion: kafka.strimzi.io/v1\nkind: KafkaConnector\n")
        .contains("name: trips-sink\n")
        .contains("topology: |\n      instance: trips\n      shards: 4\n")
        .doesNotContain("trips-other", "somebody-elses");
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("-f FILE");
  }

  @Test
  void the_resource_of_a_connector_that_is_gone_goes_too() throws IOException {
    owned("--reconciliation-paused")
        .handOver(console, dc(true), "trips-sink", "trips-index-sink-p1");

    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("  kubectl delete -n cells kafkaconnector trips-index-sink-p1\n" + GO_ON)
        .doesNotContain("kafkaconnector trips-sink");
  }

  @Test
  void where_nobody_owns_them_nothing_is_said() throws IOException {
    owned().requirePaused(dc(false));
    owned().handOver(console, dc(false), "gone");

    assertThat(out.size() + err.size()).isZero();
  }

  /** As the operator posts them. */
  private static Map<String, String> settings(JsonNode resource) {
    var settings = new TreeMap<String, String>();
    settings.put("name", resource.at("/metadata/name").asText());
    settings.put("connector.class", resource.at("/spec/class").asText());
    settings.put("tasks.max", resource.at("/spec/tasksMax").asText());
    resource
        .at("/spec/config")
        .properties()
        .forEach(setting -> settings.put(setting.getKey(), setting.getValue().asText()));
    return settings;
  }

  private static OwnedConnectors owned(String... args) {
    return CommandLine.populateCommand(new OwnedConnectors(), args);
  }

  private DataCenter dc(boolean strimzi) throws IOException {
    return Deployment.read(deployment(strimzi)).datacenters().get(0);
  }

  private Path deployment(boolean strimzi) throws IOException {
    Files.writeString(
        dir.resolve("topology.yaml"),
        """
        instance: trips
        shards: 4
        partitions: 2
        datacenter: dc1
        clusters:
          - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://db1:3306"}, minions: [{url: "mysql://db2:3306"}]}
          - {name: c2, shards: 2-3, epoch: 1, master: {url: "mysql://db3:3306"}}
        """);
    return Files.writeString(
        dir.resolve("cellmesh.yaml"),
        """
        instance: trips
        datacenters:
          - name: dc1
            topology: topology.yaml
            kafka: {bootstrap: "127.0.0.1:1"}
            connect: {url: "http://127.0.0.1:PORT"}
            mysql: {user: u, ssl: REQUIRED}
            connectors: {user: uSTRIMZI}
        """
            .replace("PORT", Integer.toString(connect.getAddress().getPort()))
            .replace("STRIMZI", strimzi ? ", strimzi: {namespace: cells, connect: workers}" : ""));
  }
}
