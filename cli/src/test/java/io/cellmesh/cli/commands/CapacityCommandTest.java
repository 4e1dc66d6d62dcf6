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

class CapacityCommandTest {
  private static final String[] LARGE = {
    "--clusters", "64", "--shards", "4096", "--partitions", "64", "--tasks", "8", "--rate", "10000"
  };

  @TempDir private Path dir;

  @Test
  void thePageShowsWhatTheCommandPrints() throws IOException {
    var page = StateDirectory.home().resolve("docs/capacity.md");
    var part = "```\n" + capacity(LARGE).out().strip() + "\n```\n";

    assertThat(page).hasContent(PagePart.expected(page, "case", "CapacityCommandTest", part));
  }

  @Test
  void whatIsExceededEndsWithOneAndNothingWithZero() {
    assertThat(capacity("--rate", "100").exitCode()).isZero();
    assertThat(capacity("--tasks", "16", "--limit", "connections=50").exitCode()).isEqualTo(1);
  }

  @Test
  void aLimitThatNobodyKnowsEndsWithTwoAndThoseThatAreKnown() {
    var run = capacity("--limit", "conections=50");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("conections", "connections, tables, files");
  }

  @Test
  void theLayoutIsThatOfTheDeploymentUnlessOptionsSayOtherwise() throws IOException {
    Files.writeString(
        dir.resolve("topology.yaml"),
        """
        instance: trips
        shards: 96
        partitions: 16
        datacenter: dc1
        clusters:
          - {name: c1, shards: "0-31", epoch: 1, master: {url: "mysql://db1:3306"}}
          - {name: c2, shards: "32-63", epoch: 1, master: {url: "mysql://db2:3306"}}
          - {name: c3, shards: "64-95", epoch: 1, master: {url: "mysql://db3:3306"}}
        """);
    var file = dir.resolve("cellmesh.yaml");
    Files.writeString(
        file,
        """
        instance: trips
        datacenters:
          - name: dc1
            topology: topology.yaml
        """);

    assertThat(capacity("--deployment", file.toString(), "--json").out())
        .contains("\"mysql_servers\" : 3", "\"databases\" : 32");
    assertThat(capacity("--deployment", file.toString(), "--minions", "2", "--json").out())
        .contains("\"mysql_servers\" : 9");
  }

  @Test
  void aLayoutThatCanNotBeEndsWithTwoAndTheRule() {
    var run = capacity("--shards", "64", "--partitions", "7");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("partitions: 7 does not divide shards (64)");
  }

  private static Captured capacity(String... options) {
    var args = new ArrayList<>(List.of("capacity"));
    args.addAll(List.of(options));
    return Captured.run(args.toArray(String[]::new));
  }
}
