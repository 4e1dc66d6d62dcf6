package io.cellmesh.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cli.Captured;
import io.cellmesh.devstack.shipped.PagePart;
import io.cellmesh.operations.grants.KafkaRole;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code grants --kafka}. */
class KafkaGrantsTest {
  private static final Pattern ACL =
      Pattern.compile(
          ".*--allow-principal '[^']*' ((?:--operation \\S+ )+)--(\\S+) '([^']*)'( --resource-pattern-type prefixed)?");

  @TempDir private Path dir;

  @Test
  void thePageShowsWhatTheCommandPrints() throws IOException {
    var page = StateDirectory.home().resolve("docs/security.md");
    var part = new StringBuilder("| role | may |\n|---|---|\n");
    for (var role : KafkaRole.values()) {
      part.append("| ").append(role.text()).append(" | ");
      part.append(String.join("<br>", rights(grants("--role", role.text()).out()))).append(" |\n");
    }
    assertThat(page)
        .hasContent(PagePart.expected(page, "kafka-grants", "KafkaGrantsTest", part.toString()));
  }

  @Test
  void aUserGetsTheAclsOfItsRoleAtTheBrokersOfTheDeployment() throws IOException {
    assertThat(grants("--role", "producer", "--user", "ann", "--dc", "dc2").out())
        .isEqualTo(
            """
            # What User:ann needs on the brokers of dc2
            kafka-acls.sh --bootstrap-server k2:9093 --command-config admin.properties --add --allow-principal 'User:ann' --operation Write --topic 'trips.cells'
            """);
  }

  @Test
  void sourcesNeedNoTransactionsWhereWorkersAreNotExactlyOnce() throws IOException {
    worker("disabled");
    assertThat(
            run("--role", "source", "--worker", dir.resolve("worker.properties").toString()).out())
        .doesNotContain("transactional-id", "connect-offsets");
  }

  @Test
  void whatIsMissingOrDoesNotBelongIsSaid() throws IOException {
    assertThat(run("--role", "connect-worker").err()).contains("needs --worker FILE");
    assertThat(run("--role", "reader").err()).contains("\"reader\" does nothing on Kafka; those");
    assertThat(run("--role", "sink", "--user", "a'b").err()).contains("--user: \"a'b\" is not");
    assertThat(Captured.run("grants", "--role", "index-streams").err())
        .contains("\"index-streams\" does nothing on MySQL", "--kafka knows it");
  }

  /** {@code `trips.index.`* Read}, with the data centre where there are several. */
  private static List<String> rights(String script) {
    var rights = new ArrayList<String>();
    var at = "";
    boolean several = script.lines().filter(line -> line.startsWith("#")).count() > 1;
    for (var line : script.lines().toList()) {
      if (line.startsWith("#")) {
        at = several ? "in " + line.substring(line.lastIndexOf(' ') + 1) + ": " : "";
        continue;
      }
      var acl = ACL.matcher(line);
      assertThat(acl.matches()).as(line).isTrue();
      rights.add(
          "%s%s `%s%s` %s"
              .formatted(
                  at,
                  acl.group(2),
                  acl.group(3),
                  acl.group(4) == null ? "" : "*",
                  acl.group(1).replace("--operation ", "").strip().replace(" ", ", ")));
    }
    return rights;
  }

  private Captured grants(String... args) throws IOException {
    worker("enabled");
    var all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--worker", dir.resolve("worker.properties").toString()));
    var captured = run(all.toArray(String[]::new));
    assertThat(captured.exitCode()).as(captured.err()).isZero();
    return captured;
  }

  private void worker(String exactlyOnce) throws IOException {
    Files.writeString(
        dir.resolve("worker.properties"),
        """
        group.id=connect
        config.storage.topic=connect-configs
        offset.storage.topic=connect-offsets
        status.storage.topic=connect-status
        exactly.once.source.support=%s
        """
            .formatted(exactlyOnce));
  }

  private Captured run(String... args) throws IOException {
    var yaml = new StringBuilder("instance: trips\ndatacenters:\n");
    for (int dc = 1; dc <= 2; dc++) {
      Files.writeString(
          dir.resolve("topology-%d.yaml".formatted(dc)),
          """
          instance: trips
          shards: 2
          partitions: 1
          datacenter: dc%1$d
          clusters:
            - {name: c1, shards: "0-1", epoch: 1, master: {url: "mysql://db%1$d:3306", domain: rack1}}
          """
              .formatted(dc));
      yaml.append(
          "  - {name: dc%1$d, topology: topology-%1$d.yaml, kafka: {bootstrap: \"k%1$d:9093\"}}\n"
              .formatted(dc));
    }
    var file = Files.writeString(dir.resolve("cellmesh.yaml"), yaml);
    var all = new ArrayList<>(List.of("grants", "--kafka", "--deployment", file.toString()));
    all.addAll(List.of(args));
    return Captured.run(all.toArray(String[]::new));
  }
}
