package io.cellmesh.e2e.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.e2e.Command;
import io.cellmesh.stack.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

/** A real data centre whose connectors are said to be Strimzi's; the test looks as it would. */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
abstract class StrimziOwned {
  private final Stack stack;
  private final Path state;
  private ConnectClient connect;

  StrimziOwned(Stack stack) {
    this.stack = stack;
    this.state = stack.devStack().stateDir();
  }

  @BeforeAll
  void handOver() throws Exception {
    connect = stack.devStack().worker("dc1").client();
    var said = Files.readString(state.resolve(Deployment.FILE));
    Files.writeString(
        owned(),
        said.replace(
            "connectors: {user: root}", "connectors: {user: root, strimzi: {connect: workers}}"));
  }

  @Test
  @Order(1)
  void withoutThePauseNothingIsChanged() throws IOException {
    var before = settings();
    var masters = master();

    var run = run("promote", "--cluster", "c1", "--to", minion().address());

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("kubectl annotate --overwrite kafkaconnect workers ");
    assertThat(settings()).isEqualTo(before);
    assertThat(master()).isEqualTo(masters);
  }

  @Test
  @Order(2)
  void aPromotionLeavesResourcesOfWhichTheOperatorChangesNothing() throws IOException {
    var next = minion();

    var run =
        run(
            "promote",
            "--cluster",
            "c1",
            "--to",
            next.address(),
            "--reconciliation-paused",
            "--out",
            out().toString());

    assertThat(run.exit()).as(run.out() + run.err()).isZero();
    assertThat(master()).isEqualTo(next.address());
    var resources = resources();
    assertThat(resources)
        .containsOnlyKeys(
            "trips-sink", "trips-index-sink-p2", "trips-source-c1", "trips-source-c2");
    assertThat(resources).isEqualTo(settings());
    assertThat(resources.values())
        .allSatisfy(
            config ->
                assertThat(config.get("topology"))
                    .contains("master: {url: \"mysql://" + next.address() + "\""));
    assertThat(run.err())
        .contains("kubectl apply -f " + out().resolve("dc1-connectors.yaml"))
        .contains("kubectl annotate kafkaconnect workers strimzi.io/pause-reconciliation-");
  }

  @Test
  @Order(3)
  void aRebuildLeavesTheSettingsAsTheyWere() throws IOException {
    var before = settings();

    var run = run("log", "rebuild", "--yes", "--reconciliation-paused");

    assertThat(run.exit()).as(run.out() + run.err()).isZero();
    assertThat(settings()).isEqualTo(before);
    assertThat(run.err()).contains("so Strimzi may go on:", "strimzi.io/pause-reconciliation-");
  }

  /** What Connect has of each connector. */
  private Map<String, Map<String, String>> settings() {
    var settings = new TreeMap<String, Map<String, String>>();
    for (var name : connect.connectors()) {
      settings.put(name, new TreeMap<>(connect.config(name)));
    }
    return settings;
  }

  /** The same as the operator would post it. */
  private Map<String, Map<String, String>> resources() throws IOException {
    var settings = new TreeMap<String, Map<String, String>>();
    try (var documents =
        new ObjectMapper(new YAMLFactory())
            .readerFor(JsonNode.class)
            .<JsonNode>readValues(out().resolve("dc1-connectors.yaml").toFile())) {
      for (var resource : documents.readAll()) {
        var config = new TreeMap<String, String>();
        var name = resource.at("/metadata/name").asText();
        config.put("name", name);
        config.put("connector.class", resource.at("/spec/class").asText());
        config.put("tasks.max", resource.at("/spec/tasksMax").asText());
        resource
            .at("/spec/config")
            .properties()
            .forEach(setting -> config.put(setting.getKey(), setting.getValue().asText()));
        settings.put(name, config);
      }
    }
    return settings;
  }

  private String master() throws IOException {
    return cluster().master().address();
  }

  private Server minion() throws IOException {
    return cluster().minions().get(0);
  }

  private StorageCluster cluster() throws IOException {
    return stack.deployment().datacenters().get(0).store().read().cluster("c1");
  }

  private Command run(String... args) {
    var all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--deployment", owned().toString()));
    return Command.run(all.toArray(String[]::new));
  }

  private Path out() {
    return state.resolve("resources");
  }

  private Path owned() {
    return state.resolve("owned.yaml");
  }
}
