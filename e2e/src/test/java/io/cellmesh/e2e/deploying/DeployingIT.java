package io.cellmesh.e2e.deploying;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.Certificates;
import io.cellmesh.devstack.ConnectWorker;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.MySqlCluster;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.devstack.RestSecurity;
import io.cellmesh.e2e.KafkaTools;
import io.cellmesh.e2e.archive.Jre;
import io.cellmesh.e2e.archive.UnpackedArchive;
import io.cellmesh.e2e.security.Leaks;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goes by docs/deploying.md on servers that hold nothing: TLS with MySQL, Kafka and Connect, one
 * user a role, every secret by reference, and no state directory that a command could know. The
 * applications have a machine of their own: another directory and, where this may, another user of
 * the operating system.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DeployingIT {
  private static final Path HOME = StateDirectory.home();
  private static final Map<String, String> NAMES = new LinkedHashMap<>();

  /** Whatever each application reads. */
  private static final Map<String, List<String>> FILES =
      Map.of(
          "index-streams",
          List.of(
              "index-streams.yaml",
              "topology.yaml",
              "index_streams.properties",
              "secrets/index_streams.jaas",
              "secrets/truststore"),
          "worker",
          List.of(
              "worker.yaml",
              "topology.yaml",
              "worker_client.properties",
              "tokens.yaml",
              "secrets/worker.jaas",
              "secrets/reader",
              "secrets/truststore"));

  /** Who may do nothing, by number. */
  private static final String NOBODY = "65534";

  @TempDir static Path state;
  @TempDir static Path etc;
  @TempDir static Path machines;
  @TempDir static Path opt;

  /** What the page calls /opt/cellmesh: the checkout's own, or with -Dit.archive the archive. */
  private static Path cellmesh;

  private static Path java;

  private static KafkaTools tools;
  private static DevStack servers;
  private static final List<Process> UNITS = new ArrayList<>();
  private static final List<String> EXPORTS = new ArrayList<>();

  @BeforeAll
  static void startServers() throws Exception {
    boolean unpacked = Boolean.getBoolean("it.archive");
    cellmesh = unpacked ? UnpackedArchive.into(opt).home() : HOME.resolve("dist");
    java = unpacked ? Jre.linked(opt.resolve("jre")) : Path.of(System.getProperty("java.home"));
    servers =
        DevStack.start(
            Options.defaults()
                .withStateDir(state.resolve("servers"))
                .withDatacenters(1)
                .withTls()
                .withKafkaSecurity()
                .withRestSecurity()
                .withWaitingWorkers(),
            Progress.silent());
    // As the page says that every server starts.
    servers
        .clusters("dc1")
        .forEach(cluster -> cluster.master().execute("SET GLOBAL super_read_only = ON"));
    tools = new KafkaTools();
    tools.writeScripts(Files.createDirectory(state.resolve("bin")));
    Files.createDirectory(etc.resolve("secrets"));
    try (var admin = Files.newBufferedWriter(etc.resolve("admin.properties"))) {
      properties(servers.broker("dc1").administrator()).store(admin, null);
    }
    var certificates = Certificates.of(servers.stateDir()).orElseThrow();
    Files.copy(certificates.trustStore(), etc.resolve("ca.p12"));
    Files.writeString(etc.resolve("secrets/truststore"), certificates.trustStorePassword());
    var rest = RestSecurity.of(servers.stateDir()).orElseThrow().login();
    Files.writeString(etc.resolve("secrets/connect"), new String(rest.getPassword()));
    Files.writeString(etc.resolve("mysql-password"), "");
    name(servers.cluster("dc1", "c1"), "db1", "db2");
    name(servers.cluster("dc1", "c2"), "db3", "db4");
    NAMES.put("k1:9093", servers.broker("dc1").bootstrap());
    NAMES.put("https://c1:8083", servers.worker("dc1").url());
    NAMES.put(
        "/opt/cellmesh/plugins",
        StackOptions.plugins(unpacked ? cellmesh : HOME).stream()
            .map(Path::toString)
            .collect(joining(",")));
    NAMES.put("/etc/cellmesh", etc.toString());
    NAMES.put("/root/mysql-password", etc.resolve("mysql-password").toString());
    NAMES.put("/opt/cellmesh", cellmesh.toString());
    NAMES.put(
        "/var/lib/cellmesh-index-streams", machines.resolve("index-streams/state").toString());
    var worker = Integer.toString(DevStack.freePort());
    NAMES.put("w1:8080", "127.0.0.1:" + worker);
    NAMES.put("--port 8080", "--port " + worker);
  }

  @AfterAll
  static void stop() throws Exception {
    for (var unit : UNITS) {
      unit.destroy();
      if (!unit.waitFor(30, TimeUnit.SECONDS)) {
        unit.destroyForcibly();
      }
    }
    servers.close();
    tools.close();
  }

  @Test
  @Order(1)
  void the_page_leads_from_empty_servers_to_a_verified_instance_with_an_index() throws Exception {
    for (var part : Page.read(HOME.resolve("docs/deploying.md"))) {
      switch (part.kind()) {
        case "file" -> Files.writeString(etc.resolve(part.name()), here(part.text()));
        case "unit" -> start(part);
        default -> run(here(part.text()));
      }
    }

    run(
        "cellmesh load --deployment producer.yaml --trips 50 && cellmesh verify && cellmesh log status");
    assertThat(Leaks.of(secrets(), servers)).isEmpty();
  }

  @Test
  @Order(2)
  @Tag("full")
  void minions_and_versions_of_an_index_change_and_a_check_tells_what_is_wrong() throws Exception {
    run(
        here(
            "cellmesh minion remove --cluster c1 --server db1:3306 && cellmesh minion add --cluster c1 --server db1:3306"));
    run(
        here(
            """
            { echo 'version: 2'; cat drivers.yaml; } > drivers2.yaml
            cellmesh index create drivers2.yaml || true
            cellmesh grants --role index,operator --index drivers.yaml --index drivers2.yaml --out sql
            cat sql/c1-*.sql | mysql -h db2 -u root
            cat sql/c2-*.sql | mysql -h db3 -u root
            cellmesh index create drivers2.yaml
            cellmesh index switch drivers --to 2
            cellmesh index drop drivers --of-version 1 --yes
            cellmesh query drivers --where driver_partner_uuid=0a1b2c3d-0000-4000-8000-000000000001 | grep 2026-01-31
            """));
    assertThat(Leaks.of(secrets(), servers)).isEmpty();
    checkTellsWhatIsWrong();
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

    servers
        .cluster("dc1", "c2")
        .master()
        .execute("REVOKE SELECT ON `trips\\_0063`.* FROM 'cellmesh_reader'@'%'");
    assertThat(fails("cellmesh deployment check"))
        .contains("cellmesh_reader can't read cells, and no worker can: SELECT command denied")
        .contains("cellmesh grants --role reader");

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
    assertThat(execute(text, said)).as(() -> text + "\n" + said + applications()).isZero();
  }

  /** What the page's units have said last. */
  private static String applications() {
    return FILES.keySet().stream()
        .map(name -> servers.stateDir().resolve("logs/" + name + ".log"))
        .filter(Files::exists)
        .map(log -> "\n" + log + " ends:\n" + end(log))
        .collect(joining());
  }

  private static String end(Path log) {
    try {
      var lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
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
    var path = List.of(cellmesh.resolve("bin"), state.resolve("bin"), System.getenv("PATH"));
    builder.environment().put("PATH", path.stream().map(Object::toString).collect(joining(":")));
    builder.environment().put("JAVA_HOME", java.toString());
    builder.environment().put("CELLMESH_JAVA_OPTS", quickly("cli", "io.cellmesh.cli.Main"));
    int exit = builder.start().waitFor();
    told.append(Files.readString(said));
    Files.delete(said);
    text.lines().filter(line -> line.startsWith("export ")).forEach(EXPORTS::add);
    return exit;
  }

  private static void start(Page.Part part) throws IOException {
    if (part.name().equals("connect-worker")) {
      startWorker();
    } else {
      startApplication(part);
    }
  }

  /** With the page's settings, beside those of its listener, and whose trust is by reference. */
  private static void startWorker() throws IOException {
    var settings = new HashMap<String, String>();
    try (var file = Files.newBufferedReader(etc.resolve("worker.properties"))) {
      var written = new Properties();
      written.load(file);
      written.stringPropertyNames().forEach(name -> settings.put(name, written.getProperty(name)));
    }
    var signsOn = new HashMap<>(settings);
    signsOn.keySet().removeIf(name -> !name.matches("(security|sasl|ssl)\\..*"));
    settings.putAll(ConnectWorker.clients(signsOn));
    for (var store : List.of("keystore", "truststore", "key")) {
      settings.put(
          "listeners.https.ssl.%s.password".formatted(store),
          settings.get("ssl.truststore.password"));
    }
    var worker = servers.worker("dc1");
    worker.reconfigure(settings);
    worker.start();
    worker.awaitReady();
  }

  private static void startApplication(Page.Part part) throws IOException {
    var command = new ArrayList<String>();
    if (Files.getOwner(etc).getName().equals("root")) {
      command.addAll(List.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"));
    }
    var machine = machines.resolve(part.name());
    // systemd splits at spaces as well.
    there(machine, part.text())
        .lines()
        .filter(line -> line.startsWith("ExecStart="))
        .map(line -> line.substring("ExecStart=".length()).split(" "))
        .forEach(words -> command.addAll(List.of(words)));
    furnish(machine, FILES.get(part.name()));
    var builder =
        new ProcessBuilder(command)
            .directory(machine.toFile())
            .redirectErrorStream(true)
            .redirectOutput(servers.stateDir().resolve("logs/" + part.name() + ".log").toFile());
    builder.environment().put("JAVA_HOME", java.toString());
    builder
        .environment()
        .put(
            "CELLMESH_JAVA_OPTS",
            part.name().equals("worker")
                ? quickly("cli", "io.cellmesh.cli.Main")
                : quickly("index-streams", "io.cellmesh.index.IndexStreamsMain"));
    UNITS.add(builder.start());
  }

  /** Options of a JVM that is one of many and ends before its second compiler pays. */
  private static String quickly(String module, String main) {
    var options = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
    if (!Boolean.getBoolean("it.archive")) {
      // Whatever it says of classes would stand among what the commands print.
      options.add("-Xlog:disable");
      options.addAll(JavaApp.sharedClasses(CellmeshHome.application(HOME, module), main));
    }
    return String.join(" ", options);
  }

  /** Puts there what an application may read, and nothing else. */
  private static void furnish(Path machine, List<String> names) throws IOException {
    Files.createDirectories(machine.resolve("secrets"));
    Files.createDirectories(machine.resolve("state"));
    for (var name : names) {
      Files.writeString(machine.resolve(name), there(machine, Files.readString(etc.resolve(name))));
    }
    Files.copy(etc.resolve("ca.p12"), machine.resolve("ca.p12"));
    if (Files.getOwner(etc).getName().equals("root")) {
      try (var files = Files.walk(machines)) {
        for (var file : files.toList()) {
          Files.setAttribute(file, "unix:uid", Integer.valueOf(NOBODY));
        }
      }
    }
  }

  private static String there(Path machine, String text) {
    return here(text).replace(etc.toString(), machine.toString());
  }

  private static Properties properties(Map<String, String> settings) {
    var properties = new Properties();
    properties.putAll(settings);
    return properties;
  }

  private static List<String> secrets() throws IOException {
    var secrets = new ArrayList<String>();
    try (var files = Files.list(etc.resolve("secrets"))) {
      for (var file : files.toList()) {
        secrets.add(Files.readString(file));
      }
    }
    secrets.add(Files.readString(servers.stateDir().resolve("auth/kafka.password")));
    assertThat(secrets).hasSizeGreaterThan(15).allMatch(secret -> secret.length() > 10);
    return secrets;
  }
}
