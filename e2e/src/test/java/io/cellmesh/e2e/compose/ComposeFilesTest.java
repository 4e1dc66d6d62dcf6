package io.cellmesh.e2e.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cli.Main;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** What docker-compose.yml promises, as far as it can be seen without a Docker engine. */
class ComposeFilesTest {
  private static final Path HOME = StateDirectory.home();

  private static Map<String, Map<String, Object>> services;

  /** Those that compose keeps when containers go. */
  private static Set<String> volumes;

  @BeforeAll
  static void read() throws IOException {
    try (var file = Files.newBufferedReader(HOME.resolve("docker-compose.yml"))) {
      Map<String, Map<String, Map<String, Object>>> compose = new Yaml().load(file);
      services = compose.get("services");
      volumes = compose.get("volumes").keySet();
    }
  }

  @Test
  void both_data_centres_are_a_deployment_and_their_servers_are_services(@TempDir Path etc)
      throws IOException {
    for (var name : List.of("topology-dc1.yaml", "topology-dc2.yaml")) {
      Files.copy(file(name), etc.resolve(name));
    }
    Files.writeString(
        etc.resolve("cellmesh.yaml"),
        Files.readString(file("cellmesh.yaml")) + Files.readString(file("dc2.yaml")));

    var datacenters = Deployment.read(etc.resolve("cellmesh.yaml")).datacenters();

    assertThat(datacenters).extracting(dc -> dc.name()).containsExactly("dc1", "dc2");
    var servers =
        datacenters.stream()
            .flatMap(dc -> dc.topology().clusters().stream())
            .flatMap(c -> Stream.concat(Stream.of(c.master()), c.minions().stream()))
            .map(server -> server.address())
            .toList();
    assertThat(servers).doesNotHaveDuplicates().hasSize(8);
    assertThat(services.keySet())
        .containsAll(servers.stream().map(server -> server.replace(":3306", "")).toList());
    for (var dc : datacenters) {
      var worker = services.get(dc.workers().get(0).getHost());
      assertThat(dataCenter(worker)).isEqualTo(dc.name());
      assertThat(option(worker, "--port")).isEqualTo("" + dc.workers().get(0).getPort());
    }
  }

  @Test
  void servers_are_set_as_the_page_on_deploying_says() throws IOException {
    var page = Files.readString(HOME.resolve("docs/deploying.md"));
    int from = page.indexOf("[mysqld]");
    var asked = settings(page.substring(from, page.indexOf("```", from)));
    // One differs from server to server; the other comes when the server has been made.
    assertThat(asked.keySet()).contains("server_id", "super_read_only");
    asked.keySet().removeAll(List.of("server_id", "super_read_only"));

    assertThat(settings(Files.readString(file("mysql.cnf")))).containsAllEntriesOf(asked);
    assertThat(Files.readString(file("init")))
        .contains("SET PERSIST super_read_only = ON")
        .contains("SET PERSIST_ONLY super_read_only = ON");
  }

  /** By default they wait for it for five minutes, in which nothing is secured. */
  @Test
  void the_tasks_of_a_worker_that_died_go_to_the_others_at_once() throws IOException {
    for (var file : List.of("docs/deploying.md", "docker/connect/worker.properties")) {
      assertThat(Files.readString(HOME.resolve(file)))
          .as(file)
          .contains("\nscheduled.rebalance.max.delay.ms=0\n");
    }
  }

  @Test
  void each_server_has_an_id_of_its_own() {
    var ids = new TreeSet<String>();
    services.forEach(
        (name, service) -> {
          if (name.matches("db\\d")) {
            ids.add(service.get("command").toString());
          }
        });
    assertThat(ids).hasSize(8).allMatch(id -> id.matches("\\[--server-id=\\d]"));
  }

  @Test
  void what_a_server_keeps_is_in_a_volume_of_its_own_that_outlives_its_container() {
    var servers =
        services.keySet().stream().filter(name -> name.matches("db\\d|kafka(-dc2)?")).toList();
    assertThat(servers).hasSize(10);
    assertThat(volumes).containsAll(servers);
    for (var name : servers) {
      var place = name.startsWith("db") ? "/var/lib/mysql" : "/var/lib/kafka/data";
      assertThat(list(services.get(name).get("volumes")).contains(name + ":" + place))
          .as("%s at %s", name, place)
          .isTrue();
    }
  }

  /** A link between data centres refuses a Kafka that says it is its own. */
  @Test
  void each_data_centre_has_a_kafka_of_its_own() {
    var dc2 = (Map<?, ?>) services.get("kafka-dc2").get("environment");
    var id = dc2.get("CLUSTER_ID");
    assertThat(Uuid.fromString(id.toString())).isNotEqualTo(Uuid.ZERO_UUID);
    assertThat(((Map<?, ?>) services.get("kafka").get("environment")).get("CLUSTER_ID"))
        .isNotEqualTo(id);
  }

  @Test
  void ports_are_on_the_loopback_interface_and_no_two_are_the_same() {
    var ports =
        services.values().stream()
            .flatMap(service -> list(service.get("ports")).stream())
            .map(Object::toString)
            .toList();
    assertThat(ports).isNotEmpty().allMatch(port -> port.startsWith("127.0.0.1:${"));
    assertThat(ports)
        .extracting(port -> port.replaceAll(".*:-(\\d+)}.*", "$1"))
        .doesNotHaveDuplicates();
  }

  @Test
  void no_password_stands_in_it() throws IOException {
    assertThat(Files.readString(HOME.resolve("docker-compose.yml")).lines())
        .filteredOn(
            line -> line.matches("(?i)\\s*[a-z_]*(password|secret)[a-z_]*\\s*[:=]\\s*\\S.*"))
        .allMatch(line -> line.matches("\\s*[A-Z_]*_FILE: /run/.*"));
  }

  /** Compose's --wait takes whatever ends for a failure, unless somebody waits for its end. */
  @Test
  void whatever_ends_is_waited_for_and_the_rest_is_started_again() {
    services.forEach(
        (name, service) -> {
          assertThat(service.get("mem_limit")).as("mem_limit of " + name).isNotNull();
          if ("no".equals(service.get("restart"))) {
            assertThat(services.values())
                .as("who waits for the end of " + name)
                .anyMatch(
                    other ->
                        list(other.get("profiles")).equals(list(service.get("profiles")))
                            && "service_completed_successfully"
                                .equals(condition(other.get("depends_on"), name)));
          } else {
            assertThat(service.get("restart")).as("restart of " + name).isEqualTo("unless-stopped");
          }
        });
  }

  @Test
  void what_is_ours_has_no_rights_and_writes_only_to_its_volumes() {
    var ours = new TreeSet<String>();
    services.forEach(
        (name, service) -> {
          if (service.get("image").toString().startsWith("cellmesh-")) {
            ours.add(name);
            assertThat(service.get("read_only")).as(name).isEqualTo(true);
            assertThat(service.get("cap_drop")).as(name).isEqualTo(List.of("ALL"));
            assertThat(service.get("security_opt"))
                .as(name)
                .isEqualTo(List.of("no-new-privileges:true"));
          }
        });
    assertThat(ours).contains("connect1", "index-streams", "worker", "trigger", "cli");
  }

  /** Of the secrets it has the reader's, and no operator's. */
  @Test
  void a_worker_is_asked_whether_it_is_ready_and_has_secrets_of_its_own() {
    for (var name : List.of("worker", "worker-dc2")) {
      var worker = services.get(name);
      assertThat(((Map<?, ?>) worker.get("healthcheck")).get("test"))
          .isEqualTo(List.of("CMD", "healthy", option(worker, "--port"), "/readyz"));
      assertThat(list(worker.get("volumes")))
          .asString()
          .contains("secrets-worker:/etc/cellmesh/secrets:ro")
          .doesNotContain("operator", "connect", "mysql");
    }
  }

  /** Wherever it does not belong Prometheus would miss it. */
  @Test
  void a_trigger_is_there_only_where_it_is_asked_for() {
    for (var name : List.of("trigger", "init-trigger")) {
      assertThat(services.get(name).get("profiles")).isEqualTo(List.of("triggers"));
    }
    assertThat(services.get("init-trigger").get("command"))
        .isEqualTo(List.of("/compose/init", "targets", "trigger"));
  }

  /** It gets as far as its port, which is taken: what is wrong before that is told first. */
  @Test
  void the_trigger_takes_its_command_and_its_settings(@TempDir Path etc) throws Exception {
    for (var name : List.of("cellmesh.yaml", "topology-dc1.yaml", "trigger.properties")) {
      Files.copy(file(name), etc.resolve(name));
    }
    var trigger = services.get("trigger");
    try (var taken = new ServerSocket(0)) {
      var port = Integer.toString(taken.getLocalPort());
      var command = new ArrayList<String>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("-cp");
      command.add(
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
      command.add(Main.class.getName());
      list(trigger.get("command")).stream()
          .skip(1)
          .map(word -> word.toString().replaceFirst("^(/etc/cellmesh|/compose)", etc.toString()))
          .map(word -> word.equals("8080") ? port : word)
          .forEach(command::add);
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().put("TRIGGER_URL", defaultOf(trigger, "TRIGGER_URL"));
      var process = builder.start();
      var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(said).contains("--health-port: 0.0.0.0:" + port);
      assertThat(process.waitFor()).isEqualTo(ExitCodes.ENVIRONMENT);
    }
  }

  /** What a variable is that nobody sets. */
  private static String defaultOf(Map<String, Object> service, String variable) {
    var said = ((Map<?, ?>) service.get("environment")).get(variable).toString();
    return said.replaceFirst("^\\$\\{" + variable + ":-(.*)}$", "$1");
  }

  @Test
  void prometheus_asks_whatever_tells_metrics() throws IOException {
    var asked = new TreeMap<String, Map<?, ?>>();
    for (var file :
        List.of(
            "targets-dc1.yaml",
            "targets-dc2.yaml",
            "targets-trigger.yaml",
            "workers-dc1.yaml",
            "workers-dc2.yaml")) {
      List<Map<String, Object>> groups = new Yaml().load(Files.readString(file(file)));
      for (var group : groups) {
        list(group.get("targets"))
            .forEach(target -> asked.put(target.toString(), (Map<?, ?>) group.get("labels")));
      }
    }

    var telling = new TreeSet<String>();
    services.forEach(
        (name, service) -> {
          if ("cellmesh-connect".equals(service.get("image"))) {
            telling.add(name + ":9404");
            assertThat(((Map<?, ?>) service.get("environment")).get("KAFKA_OPTS").toString())
                .contains("jmx_prometheus_javaagent.jar=9404:");
          }
          for (var of : List.of("", "health-")) {
            if (list(service.get("command")).contains("--" + of + "port")) {
              telling.add(name + ":" + option(service, "--" + of + "port"));
              assertThat(option(service, "--" + of + "bind")).as(name).isEqualTo("0.0.0.0");
            }
          }
        });
    assertThat(asked.keySet()).hasSize(11).isEqualTo(telling);
    asked.forEach(
        (target, labels) -> {
          var service = services.get(target.replaceAll(":.*", ""));
          assertThat(labels.get("dc")).as(target).isEqualTo(dataCenter(service));
        });
  }

  /** What the dashboards and alerts tell data centres apart by. */
  private static String dataCenter(Map<String, Object> service) {
    return list(service.get("command")).contains("--dc")
        ? option(service, "--dc")
        : service.get("environment").toString().contains("kafka-dc2:") ? "dc2" : "dc1";
  }

  /** Whoever else it asks must not see its token. */
  @Test
  void prometheus_shows_workers_alone_its_token() throws IOException {
    Map<String, List<Map<String, Object>>> config =
        new Yaml().load(Files.readString(file("prometheus.yaml")));
    var jobs = new TreeMap<Object, Map<String, Object>>();
    config.get("scrape_configs").forEach(job -> jobs.put(job.get("job_name"), job));
    assertThat(jobs.get("cellmesh")).doesNotContainKey("authorization");
    var worker = jobs.get("cellmesh-worker");
    assertThat(worker.get("file_sd_configs")).asString().contains("/etc/cellmesh/workers-*.yaml");
    var token = ((Map<?, ?>) worker.get("authorization")).get("credentials_file").toString();
    assertThat(list(services.get("prometheus").get("volumes")))
        .asString()
        .contains("secrets-monitoring:" + Path.of(token).getParent() + ":ro");
  }

  /** Runs what draws them, in other directories. */
  @Test
  void each_has_the_secrets_that_are_his_and_workers_keep_only_hashes_of_tokens(@TempDir Path dir)
      throws Exception {
    for (var name : List.of("etc/secrets", "connect", "mysql", "worker", "monitoring")) {
      Files.createDirectories(dir.resolve(name));
    }
    var script =
        Files.readString(file("init"))
            .replace("/etc/cellmesh", dir.resolve("etc").toString())
            .replace("/run/cellmesh", dir.toString())
            .replace("/compose/", HOME.resolve("docker/compose") + "/");
    var init = Files.writeString(dir.resolve("init"), script).toString();
    for (int i = 0; i < 2; i++) {
      var process = new ProcessBuilder("sh", init, "secrets").redirectErrorStream(true).start();
      var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
    }

    assertThat(dir.resolve("worker")).isDirectoryNotContaining("glob:**operator");
    assertThat(dir.resolve("worker/reader"))
        .hasSameTextualContentAs(dir.resolve("etc/secrets/reader"));
    Map<String, List<Map<String, Object>>> tokens =
        new Yaml().load(Files.readString(dir.resolve("worker/tokens.yaml")));
    assertThat(tokens.get("tokens"))
        .extracting(token -> token.get("hash"))
        .containsExactly(
            hash(dir.resolve("etc/secrets/token")), hash(dir.resolve("monitoring/token")));
    assertThat(tokens.get("tokens"))
        .extracting(token -> token.get("rights").toString())
        .containsExactly("{trips=[read, write, indexes, status]}", "{trips=[status]}");
  }

  /** Of a token in a file, as a worker's file of tokens has it. */
  private static String hash(Path file) throws Exception {
    var token = Files.readString(file);
    assertThat(token).matches("cm_[A-Za-z0-9_-]{43}");
    var sum = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    return "sha256:" + HexFormat.of().formatHex(sum);
  }

  @Test
  void grafana_is_given_the_dashboards_and_prometheus() throws IOException {
    var mounts = list(services.get("grafana").get("volumes")).stream().map(Object::toString);
    var provider = Files.readString(file("grafana/dashboards.yaml"));
    var path = provider.replaceAll("(?s).*path: ([^}]+)}.*", "$1");
    assertThat(mounts)
        .contains("./monitoring/grafana:" + path + ":ro")
        .allSatisfy(mount -> assertThat(HOME.resolve(mount.split(":")[0])).exists());
    assertThat(Files.readString(file("grafana/datasource.yaml")))
        .contains("url: http://prometheus:9090\n", "type: prometheus\n");
  }

  private static String option(Map<String, Object> service, String name) {
    var command = list(service.get("command"));
    return command.get(command.indexOf(name) + 1).toString();
  }

  private static Object condition(Object dependencies, String on) {
    return dependencies instanceof Map<?, ?> map && map.get(on) instanceof Map<?, ?> dependency
        ? dependency.get("condition")
        : null;
  }

  private static List<?> list(Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  /** The settings of an option file, without its remarks. */
  private static Map<String, String> settings(String text) {
    var settings = new TreeMap<String, String>();
    text.lines()
        .map(line -> line.replaceAll("#.*", ""))
        .filter(line -> line.contains("="))
        .map(line -> line.split("=", 2))
        .forEach(pair -> settings.put(pair[0].strip(), pair[1].strip()));
    return settings;
  }

  private static Path file(String name) {
    return HOME.resolve("docker/compose").resolve(name);
  }
}
