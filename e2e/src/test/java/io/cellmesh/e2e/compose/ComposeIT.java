package io.cellmesh.e2e.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.faults.Figures;
import java.io.Closeable;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goes by docs/compose.md: up, cells in and out, a master lost and one restarted, a trigger, and
 * nothing left after.
 */
class ComposeIT {
  private static final String ROW = "6f9619ff-8b86-d011-b42d-00cf4fc964ff";
  private static final Duration SOON = Duration.ofMinutes(1);

  /** What compose calls everything that it makes. */
  private static final String OURS = "label=com.docker.compose.project=cellmesh";

  @TempDir private Path dir;

  private Closeable alone = () -> {};
  private boolean started;
  private String unnamed;

  @BeforeEach
  void up() throws Exception {
    Docker.missing().ifPresent(Assumptions::abort);
    alone = Docker.alone();
    Assumptions.assumeTrue(
        left().isEmpty(),
        "compose has made something here before; `docker compose down -v` removes it");
    unnamed = unnamed();
    started = true;
    succeeds("up", "--wait");
  }

  @AfterEach
  void down() throws Exception {
    try {
      if (started) {
        succeeds("--profile", "*", "down", "-v");
        assertThat(left()).isEmpty();
        assertThat(unnamed()).as("volumes that belong to nobody").isEqualTo(unnamed);
      }
    } finally {
      alone.close();
    }
  }

  @Test
  void cells_survive_the_loss_of_a_master_and_in_the_full_build_a_restart_of_all()
      throws Exception {
    var cell =
        "%s|{\"row_key\":\"%1$s\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":{\"fare\":12.95}}\n"
            .formatted(ROW);
    var produced =
        Docker.compose(
            cell,
            "exec",
            "-T",
            "kafka",
            "/opt/kafka/bin/kafka-console-producer.sh",
            "--bootstrap-server",
            "kafka:9092",
            "--topic",
            "trips.cells",
            "--reader-property",
            "parse.key=true",
            "--reader-property",
            "key.separator=|");
    assertThat(produced.exit()).as(produced.err()).isZero();
    await().atMost(SOON).until(() -> cellmesh("get", ROW).out().contains("12.95"));
    assertThat(cellmesh("status").exit()).isZero();
    succeeds("--profile", "monitoring", "up", "--wait", "prometheus");
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(asked("up"))
                    .contains("connect1:9404", "connect2:9404", "index-streams:8080", "worker:8080")
                    .doesNotContain("=> 0"));
    assertThat(asked("sum(cellmesh_sink_cells_total{outcome='stored'})")).contains("=> 1 @");

    succeeds("kill", "db1");
    succeeds(
        "exec",
        "-T",
        "cli",
        "cellmesh",
        "promote",
        "--cluster",
        "c1",
        "--to",
        "db2:3306",
        "--old-master-is-gone");
    succeeds("start", "db1");
    await().atMost(SOON).until(() -> readOnly("db1").equals("1"));
    succeeds(
        "exec",
        "-T",
        "cli",
        "cellmesh",
        "minion",
        "add",
        "--cluster",
        "c1",
        "--server",
        "db1:3306");
    succeeds("exec", "-T", "cli", "cellmesh", "put", "--wait", ROW, "BASE", "2", "{\"fare\":13}");
    succeeds("exec", "-T", "cli", "cellmesh", "verify");
    assertTriggerPosts(ROW + "/BASE/1", ROW + "/BASE/2");
    if (Figures.isFull()) {
      restart();
    }
  }

  /** Of everything; what it had stays in its volumes. */
  private static void restart() throws Exception {
    succeeds("--profile", "*", "down");
    succeeds("up", "--wait");
    succeeds("exec", "-T", "cli", "cellmesh", "put", "--wait", ROW, "BASE", "3", "{\"fare\":14}");
    succeeds("exec", "-T", "cli", "cellmesh", "verify");
  }

  /** The profile's trigger tells this machine of cells, and Prometheus how it is. */
  private void assertTriggerPosts(String... keys) throws Exception {
    var posted = new CopyOnWriteArrayList<String>();
    // Containers reach this machine by the address of a bridge.
    var receiver = HttpServer.create(new InetSocketAddress(0), 0);
    receiver.createContext(
        "/",
        request -> {
          posted.add(request.getRequestHeaders().getFirst("ce-id"));
          request.sendResponseHeaders(204, -1);
          request.close();
        });
    receiver.start();
    try {
      var port = receiver.getAddress().getPort();
      var url = "TRIGGER_URL=http://host.docker.internal:%d/cells\n".formatted(port);
      var variables = Files.writeString(dir.resolve("trigger.env"), url).toString();
      succeeds("--env-file", variables, "--profile", "triggers", "up", "--wait");
      await().atMost(SOON).untilAsserted(() -> assertThat(posted).containsExactly(keys));
      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(asked("cellmesh_trigger_up")).contains("=> 1 @"));
    } finally {
      receiver.stop(0);
    }
  }

  /** What Prometheus says to a question, a line a series. */
  private static String asked(String expression) throws Exception {
    return Docker.compose(
            "",
            "exec",
            "-T",
            "prometheus",
            "promtool",
            "query",
            "instant",
            "http://127.0.0.1:9090",
            expression)
        .out();
  }

  /**
   * @return 1 or 0, or nothing while it does not answer
   */
  private static String readOnly(String server) throws Exception {
    return Docker.compose(
            "",
            "exec",
            "-T",
            server,
            "sh",
            "-c",
            "MYSQL_PWD=$(cat /run/cellmesh/mysql/root) mysql -u root -N -e 'SELECT @@super_read_only'")
        .out()
        .strip();
  }

  private static Command cellmesh(String... args) throws Exception {
    var command = new ArrayList<>(List.of("exec", "-T", "cli", "cellmesh"));
    command.addAll(List.of(args));
    return Docker.compose("", command.toArray(String[]::new));
  }

  private static void succeeds(String... args) throws Exception {
    var said = Docker.compose("", args);
    assertThat(said.exit())
        .as(() -> String.join(" ", args) + "\n" + said.out() + said.err())
        .isZero();
  }

  /** What images declare and nothing is mounted over, once its container is gone. */
  private static String unnamed() throws Exception {
    return Docker.run("", List.of("volume", "ls", "-q", "--filter", "dangling=true")).out();
  }

  /** Containers, volumes and networks. */
  private static String left() throws Exception {
    var left = new StringBuilder();
    for (var kind :
        List.of(
            List.of("ps", "-aq"), List.of("volume", "ls", "-q"), List.of("network", "ls", "-q"))) {
      var question = new ArrayList<>(kind);
      question.addAll(List.of("--filter", OURS));
      left.append(Docker.run("", question).out());
    }
    return left.toString();
  }
}
