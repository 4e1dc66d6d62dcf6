package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CohortYamlTest {
  private static final Path BASE = Path.of("/etc/cellmesh");
  private static final Pattern EXAMPLE =
      Pattern.compile("# cohorts.yaml\n(.*?)```", Pattern.DOTALL);

  @Test
  void the_example_of_docs_mesh_md_is_what_the_page_says() throws IOException {
    var page = Path.of(System.getProperty("cellmesh.home"), "docs/mesh.md");
    var example = EXAMPLE.matcher(Files.readString(page));
    assertThat(example.find()).isTrue();
    assertThat(parse(example.group(1)))
        .containsExactly(
            new CohortEntry(
                "trips",
                BASE.resolve("trips/cellmesh.yaml"),
                Optional.of("dc1"),
                Optional.empty(),
                new LinkLimits(OptionalInt.of(5_000_000), 1 << 20, 2_000)),
            new CohortEntry(
                "riders",
                BASE.resolve("riders/cellmesh.yaml"),
                Optional.of("dc1"),
                Optional.of(Set.of("dc2")),
                new LinkLimits(OptionalInt.of(20_000_000), 1 << 20, 500)));
  }

  @Test
  void what_nobody_says_is_what_holds_for_one_of_many() {
    assertThat(parse("instances: [{instance: trips, deployment: /srv/cellmesh.yaml}]"))
        .containsExactly(
            new CohortEntry(
                "trips",
                Path.of("/srv/cellmesh.yaml"),
                Optional.empty(),
                Optional.empty(),
                LinkLimits.SHARED));
  }

  @Test
  void what_can_not_be_used_is_told_with_file_line_field_and_rule() {
    assertRefused("instances: [", "line 1: not YAML");
    assertRefused("dc: dc1", "line 1: instances is missing");
    assertRefused("instances: []", "line 1: instances: there is none");
    assertRefused("instance: trips", "line 1: the cohort: unknown field \"instance\"");
    assertRefused(entry("deploy: x"), "line 2: instances: unknown field \"deploy\"");
    assertRefused("instances:\n- {deployment: x}", "line 2: instance is missing");
    assertRefused("instances:\n- {instance: trips}", "line 2: deployment is missing");
    assertRefused(
        "instances:\n- {instance: Trips, deployment: x}",
        "line 2: instance: \"Trips\" is not 1 to 48 of a-z, 0-9 and _");
    assertRefused(
        "instances:\n- {instance: trips, deployment: x}\n- {instance: trips, deployment: y}",
        "line 3: instance: \"trips\" stands there twice");
    // How many threads a link has, its deployment says.
    assertRefused(entry("threads: 2"), "line 2: instances: unknown field \"threads\"");
    assertRefused(entry("peers: []"), "line 2: peers: there is none");
    assertRefused(entry("peers: [dc2, dc2]"), "line 2: peers: \"dc2\" stands there twice");
    assertRefused(entry("dc: DC1"), "line 2: dc: \"DC1\" is not 1 to 48 of a-z, 0-9 and _");
  }

  @Test
  void a_number_that_is_out_of_its_range_is_told_with_the_range() {
    for (var records : List.of("0", "1000001", "many", "1.5", "")) {
      assertRefused(
          entry("limits: {records: '%s'}".formatted(records)),
          "line 2: records: \"%s\" is not a whole number from 1 to 1000000".formatted(records));
    }
    assertRefused(
        entry("limits: {bytes_per_second: 65535}"),
        "line 2: bytes_per_second: \"65535\" is not a whole number from 65536 to 2147483647");
    assertRefused(
        entry("limits: {fetch_bytes: 57671681}"),
        "line 2: fetch_bytes: \"57671681\" is not a whole number from 65536 to 57671680");
    assertRefused(
        entry("limits: {record: 1}"), "line 2: limits: unknown field \"record\"; known are");
    assertRefused(
        "limits: {records: no}\n" + entry(""),
        "line 1: records: \"no\" is not a whole number from 1 to 1000000");
    assertThatThrownBy(() -> parse(entry("limits: {records: %s}".formatted("9".repeat(500)))))
        .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(150));
  }

  private static String entry(String more) {
    return "instances:\n- {instance: trips, deployment: x, %s}\n".formatted(more);
  }

  private static void assertRefused(String yaml, String rule) {
    assertThatThrownBy(() -> parse(yaml))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cohorts.yaml: " + rule);
  }

  private static List<CohortEntry> parse(String yaml) {
    return CohortYaml.parse("cohorts.yaml", yaml, BASE);
  }
}
