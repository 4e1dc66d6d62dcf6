package io.cellmesh.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cli.Captured;
import io.cellmesh.devstack.shipped.PagePart;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrantsCommandTest {
  private static final Path HOME = StateDirectory.home();
  private static final String TOPOLOGY =
      """
      instance: trips
      shards: 2
      partitions: 1
      datacenter: dc1
      clusters:
        - {name: c1, shards: "0", epoch: 1, master: {url: "mysql://db1:3306", domain: rack1}}
        - {name: c2, shards: "1", epoch: 1, master: {url: "mysql://db3:3306", domain: rack2}}
      """;

  @TempDir private Path dir;

  @Test
  void thePageShowsWhatTheCommandPrints() throws IOException {
    var page = HOME.resolve("docs/security.md");
    var index = HOME.resolve("connectors/indexes/driver_partner_index.yaml").toString();
    var scripts = new StringBuilder("```sql\n");
    for (var role : List.of("sink", "source", "index", "reader")) {
      var args = new ArrayList<>(List.of("--role", role, "--cluster", "c1"));
      if (role.equals("index")) {
        args.addAll(List.of("--index", index));
      }
      scripts.append(grants(args.toArray(String[]::new)).out()).append('\n');
    }
    var part = scripts.toString().stripTrailing() + "\n```\n";
    assertThat(page).hasContent(PagePart.expected(page, "grants", "GrantsCommandTest", part));
  }

  @Test
  void eachClusterGetsAScriptOfItsOwn() throws IOException {
    var out = dir.resolve("sql");
    assertThat(grants("--role", "sink", "--out", out.toString()).out())
        .contains("c1-sink.sql", "c2-sink.sql");
    assertThat(out.resolve("c2-sink.sql"))
        .content()
        .contains("trips_0001.entity TO 'cellmesh_sink'@'%';")
        .doesNotContain("trips_0000");
  }

  @Test
  void severalRolesGetTheirScriptsAtOnce() throws IOException {
    var out = dir.resolve("sql");
    assertThat(grants("--role", "sink,reader", "--role", "operator", "--out", out.toString()).out())
        .contains("c1-sink.sql", "c1-reader.sql", "c1-operator.sql", "c2-operator.sql");
    assertThat(out.resolve("c2-reader.sql")).content().contains("TO 'cellmesh_reader'@'%';");
    assertThat(grants("--role", "sink,reader", "--user", "ann").err())
        .contains("each of several roles has a user of its own");
    assertThat(grants("--role", "sink,nobody").err()).contains("\"nobody\" does nothing on MySQL");
  }

  @Test
  void anIndexSinksTablesHaveToBeNamed() throws IOException {
    assertThat(grants("--role", "index").exitCode()).isEqualTo(2);
    assertThat(grants("--role", "sink", "--user", "a'b").err())
        .isEqualTo("error: --user: \"a'b\" is not 1 to 32 of letters, digits, _, . and -\n");
  }

  private Captured grants(String... args) throws IOException {
    var file = Files.writeString(dir.resolve("topology.yaml"), TOPOLOGY);
    var all = new ArrayList<>(List.of("grants", "--topology", file.toString()));
    all.addAll(List.of(args));
    return Captured.run(all.toArray(String[]::new));
  }
}
