package io.cellmesh.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class MainTest {
  private static final String TOPOLOGY =
      """
      instance: trips
      shards: 64
      partitions: 16
      datacenter: dc1
      clusters:
        - {name: c1, shards: "0-31", epoch: 1, master: {url: "mysql://a:3306"}, minions: [{url: "mysql://b:3306"}]}
        - {name: c2, shards: "32-63", epoch: 1, master: {url: "mysql://c:3306"}, minions: [{url: "mysql://d:3306"}]}
      """;

  /** The same on this machine. */
  private static final String HERE =
      TOPOLOGY
          .replace("//a:", "//127.0.0.1:")
          .replace("//b:", "//127.0.0.2:")
          .replace("//c:", "//127.0.0.3:")
          .replace("//d:", "//127.0.0.4:");

  @TempDir private Path dir;

  static List<CommandLine> commands() {
    var all = new java.util.ArrayList<CommandLine>();
    collect(Main.commandLine(io.cellmesh.terminal.Console.ofProcess()), all);
    return all;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasHelpWithExitCodesAndSaysWhatItDoes(CommandLine command) {
    var help = command.getUsageMessage();

    assertThat(help).contains("--help", "--debug", "Exit codes:").doesNotContain("${");
    assertThat(command.getCommandSpec().optionsMap().values())
        .allSatisfy(option -> assertThat(option.description()).isNotEmpty());
  }

  @Test
  void anUnknownCommandEndsWithTwoAndASuggestion() {
    var run = Captured.run("toplogy");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("Did you mean: topology?", "See cellmesh --help");
  }

  @Test
  void withoutACommandItListsThem() {
    var run = Captured.run();

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("demo", "verify", "tail");
  }

  @Test
  void badInputEndsWithTwoAndTheRuleThatItBreaks() {
    var run = Captured.run("put", "new", "BASE", "1.5", "{}");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("error: ref_key = \"1.5\": must be an integer, without a fraction\n");
  }

  @Test
  void aMissingStackEndsWithThree() {
    var run = Captured.run("verify", "--state", dir.toString());

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err()).contains("holds no stack");
  }

  @Test
  void debugShowsTheTraceAndWithoutItThereIsNone() {
    assertThat(Captured.run("verify", "--state", dir.toString()).err()).doesNotContain("\tat ");
    try {
      assertThat(Captured.run("verify", "--state", dir.toString(), "--debug").err())
          .contains("\tat io.cellmesh.cli");
    } finally {
      System.clearProperty("cellmesh.log");
    }
  }

  @Test
  void aGoodTopologyIsShownWithWhereItsCellsAreBuffered() throws IOException {
    var run = Captured.run("topology", "check", file(TOPOLOGY));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("64 shards in 16 partitions", "c1", "32-63");
  }

  @Test
  void twoClustersThatStallEachOtherAreAWarningAndThreeAreNot() throws IOException {
    var two = Captured.run("topology", "check", file(TOPOLOGY));
    var three =
        Captured.run(
            "topology",
            "check",
            file(
                TOPOLOGY.replace("32-63", "32-40")
                    + "  - {name: c3, shards: \"41-63\", epoch: 1, master: {url: \"mysql://e\"}}\n"));

    assertThat(two.exitCode()).isZero();
    assertThat(two.out())
        .contains("only c2 can buffer cells of c1: while c2's master is down no cell of c1 is")
        .contains("only c1 can buffer cells of c2");
    assertThat(three.exitCode()).isZero();
    assertThat(three.out()).doesNotContain("can buffer").contains("c3 lists no minion");
  }

  @Test
  void aGapAndAMissingFailureDomainAreNamed() throws IOException {
    var gap = Captured.run("topology", "check", file(TOPOLOGY.replace("32-63", "40-63")));
    var domain = Captured.run("topology", "check", file(TOPOLOGY.replace("//c:3306", "//a:3307")));

    assertThat(gap.exitCode()).isEqualTo(2);
    assertThat(gap.err()).contains("no cluster owns the shards 32-39");
    assertThat(domain.exitCode()).isEqualTo(2);
    assertThat(domain.err()).contains("failure domain \"a\"");
  }

  @Test
  void renderedConnectorsHaveNoPlaceholderLeftAndNoPassword() throws IOException {
    var out = dir.resolve("out");

    var run = render(HERE, "--kafka", "k1:9092", "--out", out.toString());
    var nowhere = render(HERE);
    assertThat(nowhere.exitCode()).isEqualTo(2);
    assertThat(nowhere.err()).contains("--topology needs --kafka");
    var unsaid = render(TOPOLOGY, "--kafka", "k1:9092");
    assertThat(unsaid.exitCode()).isEqualTo(2);
    assertThat(unsaid.err()).contains("--mysql-ssl-mode: must be set, since a:3306");

    assertThat(run.exitCode()).isZero();
    try (var files = Files.list(out)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .contains("trips-sink.json", "trips-source-c1.json", "trips-source-c2.json");
    }
    assertThat(Files.readString(out.resolve("trips-source-c2.json")))
        .doesNotContain("@{")
        .contains("\"cluster\" : \"c2\"", "${env:CELLMESH_MYSQL_PASSWORD}", "cellmesh_source");
  }

  @Test
  void renderedConnectorsAreWhatTheDeploymentSays() throws IOException {
    file(HERE);
    var deployment = dir.resolve("cellmesh.yaml");
    Files.writeString(
        deployment,
        """
        instance: trips
        datacenters:
          - name: dc1
            topology: %s
            connectors: {user: "me_{role}", password: "${directory:/run/secrets:{role}}", kafka: {bootstrap.servers: "k7:9093", security.protocol: SSL}}
        """
            .formatted(file(HERE)));

    var run = Captured.run("connectors", "render", "--deployment", deployment.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("\"me_sink\"", "\"me_source\"", "${directory:/run/secrets:sink}")
        .contains("\"kafka.bootstrap.servers\" : \"k7:9093\"")
        .contains("\"kafka.security.protocol\" : \"SSL\"");
  }

  @Test
  void conflictsAreAskedForWithinTheRules() throws IOException {
    var deployment = dir.resolve("cellmesh.yaml");
    Files.writeString(
        deployment,
        "instance: trips\ndatacenters:\n  - {name: dc1, topology: %s}\n".formatted(file(HERE)));

    assertRefused(deployment, "--limit: 0 is not in 1..10000", "ls", "--limit", "0");
    assertRefused(deployment, "--kind: \"log\" is neither own nor mesh", "ls", "--kind", "log");
    assertRefused(deployment, "--since: \"noon\" is no time", "ls", "--since", "noon");
    assertRefused(deployment, "--after: \"7\" is no cursor", "ls", "--after", "7");
    assertRefused(deployment, "there is no data centre \"dc2\"", "ls", "--dc", "dc2");
    assertRefused(deployment, "must be DC:TOPIC:PARTITION:OFFSET", "show", "trips.mesh-3@7");
    assertRefused(deployment, "there is no data centre dc9", "show", "dc9:AAAAAAAA:3:7");
  }

  private static void assertRefused(Path deployment, String why, String... words) {
    var all = new java.util.ArrayList<>(List.of("conflicts"));
    all.addAll(List.of(words));
    all.addAll(List.of("--deployment", deployment.toString()));
    var run = Captured.run(all.toArray(String[]::new));

    assertThat(run.err()).contains(why);
    assertThat(run.exitCode()).isEqualTo(2);
  }

  private Captured render(String topology, String... more) throws IOException {
    var words = new java.util.ArrayList<>(List.of("connectors", "render", "--topology"));
    words.add(file(topology));
    words.addAll(List.of(more));
    return Captured.run(words.toArray(String[]::new));
  }

  @Test
  void renderedConnectorsHaveAUserEachAndTheTrustStoreOfTheWorkers() throws IOException {
    var out = dir.resolve("out");
    var render =
        List.of("connectors", "render", "--kafka", "k:9", "--topology", file(TOPOLOGY), "--out");
    var args = new java.util.ArrayList<>(render);
    args.addAll(List.of(out.toString(), "--mysql-user", "cellmesh_{role}"));
    args.addAll(List.of("--mysql-password", "${file:/etc/mysql.properties:{role}}"));
    args.addAll(List.of("--mysql-truststore", "/etc/trust.p12", "--mysql-ssl-mode"));

    args.add("REQUIRED");
    var useless = Captured.run(args.toArray(String[]::new));
    assertThat(useless.exitCode()).isEqualTo(2);
    assertThat(useless.err()).contains("--mysql-truststore: ", "VERIFY_IDENTITY");

    args.set(args.size() - 1, "VERIFY_IDENTITY");
    assertThat(Captured.run(args.toArray(String[]::new)).exitCode()).isZero();
    assertThat(Files.readString(out.resolve("trips-sink.json")))
        .contains("\"cellmesh_sink\"", "${file:/etc/mysql.properties:sink}");
    assertThat(Files.readString(out.resolve("trips-source-c1.json")))
        .contains(
            "\"cellmesh_source\"",
            "\"mysql.ssl.mode\" : \"VERIFY_IDENTITY\"",
            "\"mysql.ssl.truststore.location\" : \"/etc/trust.p12\"");
  }

  @Test
  void theLogsShapeGoesIntoTheSourcesAlone() throws IOException {
    var topic = render(HERE, "--kafka", "k1:9092", "--shard-topics", "topic");
    var usual = render(HERE, "--kafka", "k1:9092");

    assertThat(topic.out().split("\"shard.topics\" : \"topic\"", -1)).hasSize(3);
    assertThat(usual.out())
        .contains("\"shard.topics\" : \"partition\"")
        .doesNotContain("\"shard.topics\" : \"topic\"");
  }

  @Test
  void aRebuildSaysWhatItsOptionsLack() throws IOException {
    var half = Captured.run("log", "rebuild", "--topology", file(HERE));
    var most =
        Captured.run(
            "log",
            "rebuild",
            "--topology",
            file(HERE),
            "--connect",
            "http://127.0.0.1:1",
            "--delete-old",
            "--cluster",
            "c1");
    var nobody =
        Captured.run("log", "status", "--topology", file(HERE), "--connect", "http://127.0.0.1:1");

    assertThat(half.exitCode()).isEqualTo(2);
    assertThat(half.err()).contains("--topology and --connect");
    assertThat(most.exitCode()).isEqualTo(2);
    assertThat(most.err()).contains("leave out --cluster and --shards");
    assertThat(nobody.exitCode()).isEqualTo(3);
    assertThat(nobody.err()).contains("Connect at http://127.0.0.1:1 does not answer");
  }

  @Test
  void aLogInManyTopicsHasNoIndexes() {
    var run = Captured.run("up", "--shard-topics", "topic", "--dcs", "2");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("read the log from one topic");
  }

  private String file(String text) throws IOException {
    return Files.writeString(dir.resolve("topology.yaml"), text).toString();
  }

  private static void collect(CommandLine command, List<CommandLine> all) {
    all.add(command);
    command.getSubcommands().values().forEach(c -> collect(c, all));
  }
}
