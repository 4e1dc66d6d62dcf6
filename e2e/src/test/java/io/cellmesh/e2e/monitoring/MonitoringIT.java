package io.cellmesh.e2e.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import com.sun.tools.attach.VirtualMachine;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.ConnectWorker;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.e2e.Command;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.prometheus.jmx.JavaAgent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Prometheus over two data centres: the dashboards have what they ask for, no alert fires while
 * nothing is wrong, and each does for the fault that it is for.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MonitoringIT {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final Duration REST = Duration.ofSeconds(20);
  private static final Pattern HEALTH = Pattern.compile("Health: http://127\\.0\\.0\\.1:(\\d+)/");

  /** What nobody shows while nothing is wrong. */
  private static final Set<String> ONLY_OF_FAULTS =
      Set.of(
          "ALERTS",
          "cellmesh_source_task_waits_for",
          "cellmesh_mesh_unlinked_total",
          // Each herb-replicator of this machine has one instance, and reads its files once.
          "cellmesh_mesh_files_in_force",
          // The workers of this machine ask for no tokens.
          "cellmesh_worker_refused_total",
          "cellmesh_worker_file_in_force");

  private static final UUID ROW = UUID.fromString("3f6b7a52-0f0e-4c7e-9f43-5a0b5d2f7a10");

  @TempDir private static Path dir;

  private static Stack stack;
  private static Prometheus prometheus;
  private static HttpServer receiver;

  @BeforeAll
  static void start() throws Exception {
    var program = Promtool.find("prometheus");
    assumeThat(program).as("Prometheus: install it, or say -Dcellmesh.prometheus=DIR").isPresent();
    var index = IndexFile.read(HOME.resolve("connectors/indexes/driver_partner_index.yaml"));
    stack = Stack.start(StackOptions.of(2, List.of(index)).withHttp(), Command.silent().steps());
    var jobs = new TreeMap<String, List<Integer>>();
    for (var dc : List.of("dc1", "dc2")) {
      add(jobs, "cellmesh-connect", exporter(stack.devStack().worker(dc)));
      for (var app : List.of("index-streams", "herb-replicator")) {
        add(jobs, "cellmesh-" + app, health(stack.devStack().app(dc + "-" + app)));
      }
      add(jobs, "cellmesh-worker", worker(dc).getPort());
    }
    add(jobs, "cellmesh-trigger", health(trigger()));
    prometheus = Prometheus.start(program.orElseThrow(), dir, jobs);
    await("Prometheus").atMost(SOON).until(prometheus::isReady);
  }

  @AfterAll
  static void stop() throws Exception {
    if (prometheus != null) {
      prometheus.close();
    }
    if (stack != null) {
      stack.close();
    }
    if (receiver != null) {
      receiver.stop(0);
    }
  }

  @Test
  @Order(1)
  void the_dashboards_have_what_they_ask_for_and_no_alert_fires_at_rest() throws Exception {
    assertThat(on("load", "--trips", "300").exit()).isZero();
    assertThat(on("verify").exit()).isZero();
    writeAndReadOverHttp();

    var empty = new TreeSet<String>();
    Dashboards.all().stream().flatMap(Dashboard::expressions).forEach(empty::add);
    empty.removeIf(e -> Expression.of(e).metrics().stream().anyMatch(ONLY_OF_FAULTS::contains));
    assertThat(empty).hasSizeGreaterThan(60);
    await("every expression of the dashboards")
        .atMost(SOON)
        .untilAsserted(
            () -> {
              for (var expression : List.copyOf(empty)) {
                if (prometheus.series(expression) > 0) {
                  empty.remove(expression);
                }
              }
              assertThat(empty).isEmpty();
            });
    await("no alert")
        .during(REST)
        .atMost(REST.plus(SOON))
        .untilAsserted(() -> assertThat(prometheus.firing()).isEmpty());
  }

  @Test
  @Order(2)
  void a_conflict_is_told() {
    put(ROW, "{\"fare\":1}");
    assertThat(
            on("put", ROW.toString(), "BASE", "1", "{\"fare\":2}", "--dc", "dc1", "--wait").exit())
        .isEqualTo(1);
    awaitAlert(
        "CellmeshOwnConflicts",
        "Producers write cells that trips-sink reads again, with another body");
  }

  @Test
  @Order(3)
  void a_row_that_somebody_changes_is_told() {
    var master = stack.devStack().cluster("dc1", "c1").master();
    master.execute(
        "UPDATE trips_0001.entity SET created_at = created_at + INTERVAL 1 SECOND LIMIT 1");
    awaitAlert(
        "CellmeshCellsChanged",
        "Somebody has changed cells in the tables that trips-source-c1 reads");
  }

  @Test
  @Order(4)
  void an_application_that_is_gone_is_told() {
    stack.devStack().app("dc1-herb-replicator").kill();
    awaitAlert("CellmeshDown", "cellmesh-herb-replicator does not answer");
  }

  @Test
  @Order(5)
  void a_master_that_is_gone_is_told() {
    stack.devStack().cluster("dc1", "c2").master().kill();
    for (int i = 0; i < 20; i++) {
      put(UUID.randomUUID(), "{\"fare\":1}");
    }
    awaitAlert("CellmeshServerLeftAlone", "does not take cells");
    awaitAlert("CellmeshNothingSecured", "trips-sink secures nothing");
  }

  /** A worker tells of what it has been asked for. */
  private static void writeAndReadOverHttp() throws Exception {
    var cell = worker("dc1").resolve("/v1/trips/cells/%s/BASE/1".formatted(UUID.randomUUID()));
    var http = HttpClient.newHttpClient();
    var put = HttpRequest.newBuilder(cell).PUT(BodyPublishers.ofString("{\"fare\":1}")).build();
    assertThat(http.send(put, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    var get = HttpRequest.newBuilder(cell).build();
    assertThat(http.send(get, BodyHandlers.ofString()).body()).contains("\"fare\":1");
  }

  private static URI worker(String dc) throws IOException {
    return stack.deployment().datacenter(Optional.of(dc)).workers().get(0);
  }

  private static void awaitAlert(String name, String words) {
    await(name)
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(prometheus.firing().getOrDefault(name, new TreeSet<>()))
                    .anyMatch(summary -> summary.contains(words)));
  }

  private static void put(UUID row, String body) {
    assertThat(on("put", row.toString(), "BASE", "1", body, "--dc", "dc1").exit()).isZero();
  }

  private static Command on(String... arguments) {
    return Command.on(stack.devStack().stateDir(), arguments);
  }

  private static void add(Map<String, List<Integer>> jobs, String job, int port) {
    jobs.computeIfAbsent(job, name -> new ArrayList<>()).add(port);
  }

  /** Brings the exporter into a worker, with the rules that we ship. */
  private static int exporter(ConnectWorker worker) throws Exception {
    int port = DevStack.freePort();
    var jar = Path.of(JavaAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    var rules = ShownMetrics.MONITORING.resolve("jmx-exporter.yaml");
    var machine = VirtualMachine.attach(Long.toString(worker.pid()));
    try {
      machine.loadAgent(jar.toString(), "127.0.0.1:%d:%s".formatted(port, rules));
    } finally {
      machine.detach();
    }
    return port;
  }

  /** Starts a trigger whose receiver takes everything. */
  private static JavaApp trigger() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        request -> {
          request.getRequestBody().readAllBytes();
          request.sendResponseHeaders(204, -1);
          request.close();
        });
    receiver.start();
    var settings =
        Files.writeString(
            dir.resolve("trigger.properties"),
            "name=hooks\ncolumns=BASE\nurl=http://127.0.0.1:%d/\n"
                .formatted(receiver.getAddress().getPort()));
    var arguments =
        List.of(
            "trigger",
            "run",
            "--deployment",
            stack.directory().deployment().toString(),
            "--dc",
            "dc1",
            "--config",
            settings.toString(),
            "--health-port",
            "0");
    return stack
        .devStack()
        .startApp(
            new JavaApp.Spec(
                "dc1-trigger",
                CellmeshHome.application(HOME, "cli"),
                "io.cellmesh.cli.Main",
                arguments,
                Map.of(),
                List.of("-Xmx192m", "-XX:TieredStopAtLevel=1")));
  }

  /** The port that an application's log names, as soon as it does. */
  private static int health(JavaApp app) throws IOException {
    await(app.name()).atMost(SOON).until(() -> HEALTH.matcher(Files.readString(app.log())).find());
    return HEALTH
        .matcher(Files.readString(app.log()))
        .results()
        .mapToInt(found -> Integer.parseInt(found.group(1)))
        .reduce((first, last) -> last)
        .orElseThrow();
  }
}
