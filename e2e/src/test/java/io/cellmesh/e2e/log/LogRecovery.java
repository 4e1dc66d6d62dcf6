package io.cellmesh.e2e.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.connect.client.ConnectorStatus.Part;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Figures;
import io.cellmesh.e2e.faults.Report;
import io.cellmesh.topics.Consumers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * What the source can't mend by itself ends in an error that names the command, and after the
 * command the log is, by first occurrence, the entities.
 */
final class LogRecovery {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int CELLS = 20;

  private final FaultStack stack;

  LogRecovery(FaultStack stack) {
    this.stack = stack;
  }

  /** A minion that has purged what was not read is no reason to stop while the master has it. */
  void purgedOnTheMinion() throws Exception {
    try (var instance = OwnInstance.create(stack, "purged", "c1")) {
      instance.startSource(Map.of("read.master.after.ms", "1000"));
      writeAndAwait(instance);
      stop(instance);
      instance.writer().writeToEachShard(CELLS);
      purge(List.of(minion("c1")));
      stack.connect().resume(instance.source());
      awaitLog(instance);
      Report.line(
          "purged on the minion: went on from the master, %d cells, %d came again; %s",
          instance.log().first().size(),
          instance.log().repeated(),
          said("127.0.0.1:" + stack.master("c1").port()));
    }
  }

  /** Purged everywhere: the gap is told, and the rebuild closes it. */
  void purgedEverywhere() throws Exception {
    try (var instance = OwnInstance.create(stack, "gone", "c1")) {
      instance.startSource();
      writeAndAwait(instance);
      stop(instance);
      instance.writer().writeToEachShard(CELLS);
      purge(List.of(minion("c1"), stack.master("c1")));
      stack.connect().resume(instance.source());
      Report.line("purged everywhere: %s", awaitFailure(instance));
      rebuild(instance);

      // Without offsets it would begin at the instance's creation, which was purged as well.
      stop(instance);
      stack.connect().deleteOffsets(instance.source());
      stack.connect().resume(instance.source());
      Report.line("offsets deleted after a purge: %s", awaitFailure(instance));
      rebuild(instance);
    }
  }

  /** As long as the binlogs are there, a connector without offsets reads them all once more. */
  void offsetsDeleted() throws Exception {
    try (var instance = OwnInstance.create(stack, "offsets", "c1")) {
      instance.startSource();
      writeAndAwait(instance);
      stop(instance);
      stack.connect().deleteOffsets(instance.source());
      instance.writer().writeToEachShard(CELLS);
      stack.connect().resume(instance.source());
      awaitLog(instance);
      Report.line(
          "offsets deleted: began again, %d cells, %d came again",
          instance.log().first().size(), instance.log().repeated());
      try (var admin = Consumers.admin(KafkaAccess.plain(stack.bootstrap()))) {
        var topics = admin.listTopics().names().get();
        assertThat(topics).noneMatch(name -> name.contains("history") || name.contains("schema"));
        Report.line("no schema history among the topics %s", topics);
      }
    }
  }

  /** Behind one address another server, which lacks what the log has shown. */
  void divergedBehindOneAddress() throws Exception {
    stack.connect().stop(LogFaults.source("c2"));
    try (var instance = OwnInstance.create(stack, "diverged", "c2")) {
      instance.startSource(Map.of("read.from", "master"));
      writeAndAwait(instance);
      var master = stack.master("c2");
      assertThat(minion("c2").catchesUpWith(master, SOON)).isTrue();
      minion("c2").stopReplica();
      writeAndAwait(instance);
      replace(instance, master);
    } finally {
      minion("c2").replicateFrom(stack.master("c2"));
      stack.connect().resume(LogFaults.source("c2"));
    }
  }

  private void replace(OwnInstance instance, MySqlServer master) throws Exception {
    var lost = EntityRows.of(instance.topology(), instance.storage(), master);
    try (var impostor = Impostor.inPlaceOf(master, minion("c2"))) {
      instance.writer().writeToEachShard(CELLS / 2);
      Report.line("diverged behind one address: %s", awaitFailure(instance));
      var rows = EntityRows.of(instance.topology(), instance.storage(), impostor.server());
      assertThat(instance.log().first().difference(lost)).isEmpty();
      assertThat(lost.difference(rows)).isPresent();
      rebuild(instance, "--delete-old");
    }
  }

  private void writeAndAwait(OwnInstance instance) throws SQLException {
    instance.writer().writeToEachShard(CELLS);
    awaitLog(instance);
  }

  private void awaitLog(OwnInstance instance) throws SQLException {
    var rows =
        EntityRows.of(instance.topology(), instance.storage(), stack.master(instance.cluster()));
    await("the log by first occurrence like the entities")
        .atMost(SOON)
        .untilAsserted(() -> assertThat(instance.log().first().difference(rows)).isEmpty());
  }

  private void stop(OwnInstance instance) {
    stack.connect().stop(instance.source());
    await("no task")
        .atMost(SOON)
        .until(() -> stack.connect().status(instance.source()).orElseThrow().tasks().isEmpty());
  }

  /** Deletes every binlog file but a new and empty one; the stack's own sources go past it. */
  private void purge(List<MySqlServer> servers) throws SQLException {
    for (var server : servers) {
      assertThat(server.catchesUpWith(stack.master("c1"), SOON)).isTrue();
      server.execute("FLUSH BINARY LOGS");
    }
    new Producers(stack).produce(1, 2_000, Figures.seed() + System.nanoTime());
    // Connect stores the stack's offsets every second; then they are behind the purge.
    await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
    for (var server : servers) {
      var files = files(server);
      server.execute("PURGE BINARY LOGS TO '" + files.get(files.size() - 1) + "'");
      assertThat(files(server)).hasSize(1);
    }
  }

  private static List<String> files(MySqlServer server) throws SQLException {
    var files = new ArrayList<String>();
    try (var connection = server.connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SHOW BINARY LOGS")) {
      while (rows.next()) {
        files.add(rows.getString(1));
      }
    }
    return files;
  }

  /** The first line of what the task failed with. It names the command that goes on. */
  private String awaitFailure(OwnInstance instance) {
    await("a failed task")
        .atMost(SOON)
        .until(() -> stack.connect().status(instance.source()).orElseThrow().failure().isPresent());
    var trace =
        stack.connect().status(instance.source()).orElseThrow().tasks().stream()
            .map(Part::trace)
            .collect(Collectors.joining("\n"));
    assertThat(trace).contains("cellmesh log rebuild --cluster " + instance.cluster());
    return trace.lines().filter(line -> line.contains("log rebuild")).findFirst().orElseThrow();
  }

  private void rebuild(OwnInstance instance, String... more) throws Exception {
    var words = new ArrayList<>(List.of("log", "rebuild", "--yes"));
    words.addAll(List.of("--topology", instance.topologyFile().toString()));
    words.addAll(List.of("--connect", stack.connectUrl(), "--kafka", stack.bootstrap()));
    words.addAll(List.of(more));
    long start = System.nanoTime();
    // Apart, since it waits for the end of the rebuild for as long as it takes.
    var command =
        CompletableFuture.supplyAsync(() -> Command.run(words.toArray(String[]::new)))
            .get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(command.exit()).as(command.out() + command.err()).isZero();
    awaitLog(instance);
    instance.writer().writeToEachShard(1);
    awaitLog(instance);
    Report.line(
        "rebuilt in %s: %d cells, %d came again\n%s",
        Report.text(Duration.ofNanos(System.nanoTime() - start)),
        instance.log().first().size(),
        instance.log().repeated(),
        command.out());
  }

  private MySqlServer minion(String cluster) {
    return stack.cluster(cluster).minions().get(0);
  }

  /** The last line of a worker's log by the source that has a text in it. */
  private String said(String text) throws Exception {
    return stack.lastLogged("ServerSelector", text);
  }
}
