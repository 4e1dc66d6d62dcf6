package io.cellmesh.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cellmesh.stack.StateDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the commands print for Strimzi is what its definitions take, and what deploy/strimzi shows.
 */
class StrimziTest {
  private static final Path EXAMPLE = StateDirectory.home().resolve("deploy/strimzi");

  @TempDir static Path plugins;

  private static Crds crds;

  /** A file of the example, and the command that docs/strimzi.md gives for it. */
  record Printed(String file, String command) {
    String yaml() {
      var args = new ArrayList<>(List.of(command.split(" ")));
      args.replaceAll(arg -> arg.equals("plugins") ? plugins.toString() : arg);
      args.addAll(List.of("--deployment", EXAMPLE.resolve("cellmesh.yaml").toString()));
      return Cellmesh.run(args.toArray(String[]::new));
    }
  }

  static List<Printed> printed() {
    return List.of(
        new Printed("topics.yaml", "strimzi topics --replication-factor 3"),
        new Printed("users.yaml", "strimzi users"),
        new Printed(
            "connect.yaml",
            "strimzi connect --image registry.example.com/cellmesh-connect:0.1.0 --push-secret registry --plugins plugins --plugins-url https://files.example.com/cellmesh"),
        new Printed("monitoring.yaml", "strimzi monitoring"),
        new Printed("connectors.yaml", "connectors render --format strimzi"));
  }

  @BeforeAll
  static void generate() throws Exception {
    crds = Crds.generate();
    for (var connector : List.of("sink", "source")) {
      Files.writeString(
          plugins.resolve("cellmesh-cellmesh-connect-%s-0.1.0.zip".formatted(connector)),
          connector);
    }
  }

  @ParameterizedTest
  @MethodSource("printed")
  void what_is_printed_is_what_the_definitions_take(Printed printed) throws Exception {
    var resources = Resources.of(printed.yaml());
    assertThat(resources).isNotEmpty();
    for (var resource : resources) {
      assertThat(resource.at("/metadata/namespace").asText()).isEqualTo("cells");
      if (resource.path("apiVersion").asText().startsWith("kafka.strimzi.io/")) {
        assertThat(crds.faults(resource)).as(resource.toString()).isEmpty();
      } else {
        assertThat(Resources.typed(resource)).isNotNull();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("printed")
  void the_example_is_what_is_printed_and_the_page_has_the_command(Printed printed)
      throws Exception {
    // Of files that another build makes otherwise.
    var yaml = printed.yaml().replaceAll("(?m)^ +sha512sum: .*\n", "");
    var fresh = Files.createDirectories(Path.of("target", "example")).resolve(printed.file());
    Files.writeString(fresh, yaml);

    assertThat(EXAMPLE.resolve(printed.file()))
        .as("stale; copy " + fresh.toAbsolutePath() + " over it")
        .hasSameTextualContentAs(fresh);
    assertThat(StateDirectory.home().resolve("docs/strimzi.md"))
        .content()
        .contains("cellmesh %s > %s\n".formatted(printed.command(), printed.file()));
  }

  @Test
  void an_index_sink_is_a_KafkaConnector_with_its_definitions() throws Exception {
    var definition =
        Files.writeString(
            plugins.resolve("drivers.yaml"),
            """
            table: drivers
            datastore: trips
            column_defs:
              - column_key: BASE
                fields:
                  - {field: driver_partner_uuid, type: UUID}
            """);
    var resources =
        Resources.of(
            new Printed("", "connectors render --format strimzi --index " + definition).yaml());

    assertThat(resources)
        .extracting(resource -> resource.at("/metadata/name").asText())
        .containsExactlyInAnyOrder(
            "trips-sink", "trips-source-c1", "trips-source-c2", "trips-index-sink-p1");
    assertThat(resources).allSatisfy(resource -> assertThat(crds.faults(resource)).isEmpty());
  }

  /** It signs on as the example says, where the example looks. */
  @Test
  void the_pod_for_commands_mounts_what_the_deployment_refers_to() throws Exception {
    var resources = Resources.of(Files.readString(EXAMPLE.resolve("cli.yaml")));
    assertThat(resources).hasSize(2);
    for (var resource : resources) {
      assertThat(Resources.typed(resource)).isNotNull();
    }
    var mounts = new ArrayList<String>();
    resources
        .get(0)
        .at("/spec/template/spec/containers/0/volumeMounts")
        .forEach(mount -> mounts.add(mount.path("mountPath").asText()));
    var own =
        Files.readString(EXAMPLE.resolve("cellmesh.yaml"))
                .replaceFirst("(?s)\n    connectors:.*", "\n")
            + Files.readString(EXAMPLE.resolve("operator.properties"));
    assertThat(
            Pattern.compile("/mnt/[a-z-]+")
                .matcher(own)
                .results()
                .map(MatchResult::group)
                .distinct())
        .isNotEmpty()
        .allSatisfy(directory -> assertThat(mounts).contains(directory));
  }

  /** The test itself must be able to fail, in whichever resource and at whichever depth. */
  @ParameterizedTest
  @MethodSource("printed")
  void a_property_that_is_misspelt_anywhere_is_found(Printed printed) throws Exception {
    for (var resource : Resources.of(printed.yaml())) {
      if (resource.path("apiVersion").asText().startsWith("kafka.strimzi.io/")) {
        for (var path : objects(resource.path("spec"), "/spec")) {
          var wrong = resource.deepCopy();
          var object = (ObjectNode) wrong.at(path);
          var name = object.fieldNames().next();
          object.set(name + "X", object.remove(name));
          assertThat(crds.faults(wrong)).as(path + "/" + name).isNotEmpty();
        }
      }
    }
  }

  @Test
  void a_wrong_value_is_found() {
    var user = Resources.of(printed().get(1).yaml()).get(0);
    ((ObjectNode) user.at("/spec/authentication")).put("type", "scram-sha-1");
    assertThat(crds.faults(user)).isNotEmpty();

    var connector = Resources.of(printed().get(4).yaml()).get(0);
    ((ObjectNode) connector.path("spec")).put("tasksMax", "2");
    assertThat(crds.faults(connector)).isNotEmpty();
  }

  /** The pointers of the objects that a definition describes property by property. */
  private static List<String> objects(JsonNode node, String at) {
    var found = new ArrayList<String>();
    if (node.isObject() && !node.isEmpty()) {
      found.add(at);
    }
    for (Map.Entry<String, JsonNode> property : node.properties()) {
      // Settings are free.
      if (!property.getKey().equals("config")) {
        found.addAll(objects(property.getValue(), at + "/" + property.getKey()));
      }
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      found.addAll(objects(node.get(i), at + "/" + i));
    }
    return found;
  }
}
