package io.cellmesh.e2e.deploying;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.devstack.Certificates;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlCluster;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goes by docs/deploying.md on servers that hold nothing: TLS with MySQL, one user a role, every
 * secret by reference, and no state directory that a command could know.
 */
class DeployingIT {
  private static final Path HOME = StateDirectory.home();
  private static final Map<String, String> NAMES = new LinkedHashMap<>();

  @TempDir static Path state;
  @TempDir static Path etc;

  private static DevStack servers;
  private static final List<Process> UNITS = new ArrayList<>();
  private static final List<String> EXPORTS = new ArrayList<>();

  @BeforeAll
  static void startServers() throws Exception {
    // A path that a provider is held to must be there when the worker starts.
    Files.createDirectory(etc.resolve("secrets"));
    servers =
        DevStack.start(
            Options.defaults()
                .withStateDir(state.resolve("servers"))
                .withDatacenters(1)
                .withTls()
                .withPlugins(StackOptions.plugins(HOME))
                .withWorkerSetting(
                    "config.providers.directory.param.allowed.paths",
                    etc.resolve("secrets").toString()),
            Progress.silent());
    var certificates = Certificates.of(servers.stateDir()).orElseThrow();
    Files.copy(certificates.trustStore(), etc.resolve("ca.p12"));
    Files.writeString(etc.resolve("secrets/truststore"), certificates.trustStorePassword());
    Files.writeString(etc.resolve("kafka.properties"), "");
    Files.writeString(etc.resolve("mysql-password"), "");
    name(servers.cluster("dc1", "c1"), "db1", "db2");
    name(servers.cluster("dc1", "c2"), "db3", "db4");
    NAMES.put("k1:9092", servers.broker("dc1").bootstrap());
    NAMES.put("http://c1:8083", servers.worker("dc1").url());
    NAMES.put("/etc/cellmesh", etc.toString());
    NAMES.put("/root/mysql-password", etc.resolve("mysql-password").toString());
    NAMES.put("/opt/cellmesh", HOME.toString());
    NAMES.put("/var/lib/cellmesh-index-streams", etc.resolve("index-streams").toString());
    NAMES.put("/usr/bin/java", Path.of(System.getProperty("java.home"), "bin/java").toString());
  }

  @AfterAll
  static void stop() throws InterruptedException {
    for (var unit : UNITS) {
      unit.destroy();
      if (!unit.waitFor(30, TimeUnit.SECONDS)) {
        unit.destroyForcibly();
      }
    }
    servers.close();
  }

  @Test
  void the_page_leads_from_empty_servers_to_a_verified_instance_with_an_index() throws Exception {
    for (var part : Page.read(HOME.resolve("docs/deploying.md"))) {
      switch (part.kind()) {
        case "file" -> Files.writeString(etc.resolve(part.name()), here(part.text()));
        case "unit" -> startUnit(part);
        default -> run(here(part.text()));
      }
    }

    run("cellmesh load --trips 50 && cellmesh verify && cellmesh log status");
    run(
        here(
            "cellmesh minion remove --cluster c1 --server db1:3306 && cellmesh minion add --cluster c1 --server db1:3306"));
    run(
        here(
            """
            cellmesh grants --role operator --index drivers.yaml --out sql
            mysql -h db2 -u root < sql/c1-operator.sql
            mysql -h db3 -u root < sql/c2-operator.sql
            cellmesh index drop drivers --of-version 1 --also-serving --yes
            """));
    checkTellsWhatIsWrong();
    assertThat(told()).doesNotContain(secrets());
  }

  private static void checkTellsWhatIsWrong() throws Exception {
    var asRoot =
        here(
            "CELLMESH_MYSQL_USER=root CELLMESH_MYSQL_PASSWORD_FILE=/root/mysql-password cellmesh deployment check");
    run(asRoot);
    servers
        .cluster("dc1", "c2")
        .master()
        .execute("REVOKE INSERT ON trips_0032.entity FROM 'cellmesh_sink'@'%'");
    assertThat(fails(asRoot))
        .contains("'cellmesh_sink'@'%', of the role sink, lacks INSERT ON trips_0032.entity")
        .contains("cellmesh grants --role sink");

    Files.writeString(etc.resolve("secrets/operator"), "forgotten");
    Files.delete(etc.resolve("secrets/replication"));
    assertThat(fails("cellmesh deployment check"))
        .contains("cellmesh_operator can't sign on")
        .contains("${directory:" + etc.resolve("secrets") + ":replication} leads to nothing")
        .contains("✓ dc1 connect " + servers.worker("dc1").url() + ": trips-sink can run there");
  }

  private static void name(MySqlCluster cluster, String master, String minion) {
    for (var server :
        Map.of(master, cluster.master(), minion, cluster.minions().get(0)).entrySet()) {
      NAMES.put(server.getKey() + ":3306", "127.0.0.1:" + server.getValue().port());
      NAMES.put(
          "mysql -h %s -u root".formatted(server.getKey()),
          "%s -h 127.0.0.1 -P %d -u root"
              .formatted(server.getValue().program("mysql"), server.getValue().port()));
    }
  }

  /** The page's names are not those of these servers. */
  private static String here(String text) {
    var here = text;
    for (var name : NAMES.entrySet()) {
      here = here.replace(name.getKey(), name.getValue());
    }
    return here;
  }

  private static void run(String text) throws IOException, InterruptedException {
    var said = new StringBuilder();
    assertThat(execute(text, said)).as(() -> text + "\n" + said).isZero();
  }

  /** What it says. */
  private static String fails(String text) throws IOException, InterruptedException {
    var said = new StringBuilder();
    assertThat(execute(text, said)).as(() -> text + "\n" + said).isEqualTo(1);
    return said.toString();
  }

  private static int execute(String text, StringBuilder told)
      throws IOException, InterruptedException {
    var script =
        "set -euo pipefail\ncd '%s'\n%s\n%s".formatted(etc, String.join("\n", EXPORTS), text);
    var said = etc.resolveSibling(etc.getFileName() + ".said");
    var builder =
        new ProcessBuilder("bash", "-c", script)
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().put("CELLMESH_BUILD", "never");
    builder.environment().put("PATH", HOME + ":" + System.getenv("PATH"));
    int exit = builder.start().waitFor();
    told.append(Files.readString(said));
    Files.delete(said);
    text.lines().filter(line -> line.startsWith("export ")).forEach(EXPORTS::add);
    return exit;
  }

  private static void startUnit(Page.Part part) throws IOException {
    var command =
        here(part.text())
            .lines()
            .filter(line -> line.startsWith("ExecStart="))
            .map(line -> line.substring("ExecStart=".length()))
            .findFirst()
            .orElseThrow();
    // systemd splits at spaces and leaves the star to Java, as this does.
    UNITS.add(
        new ProcessBuilder(command.split(" "))
            .redirectErrorStream(true)
            .redirectOutput(servers.stateDir().resolve("logs/" + part.name() + ".log").toFile())
            .start());
  }

  /** What Connect answers, every log, and what the list of processes shows. */
  private static String told() throws IOException {
    var told = new StringBuilder(servers.worker("dc1").client().described().toString());
    try (var logs = Files.walk(servers.stateDir().resolve("logs"))) {
      for (var log : logs.filter(Files::isRegularFile).toList()) {
        told.append(Files.readString(log, StandardCharsets.ISO_8859_1));
      }
    }
    ProcessHandle.allProcesses()
        .flatMap(process -> process.info().commandLine().stream())
        .forEach(told::append);
    return told.toString();
  }

  private static String[] secrets() throws IOException {
    try (Stream<Path> files = Files.list(etc.resolve("secrets"))) {
      var secrets = new ArrayList<String>();
      for (var file : files.toList()) {
        secrets.add(Files.readString(file));
      }
      return secrets.toArray(String[]::new);
    }
  }
}
