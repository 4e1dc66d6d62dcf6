package io.cellmesh.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.devstack.ConnectWorker;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.KafkaBroker;
import io.cellmesh.devstack.MySqlCluster;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.e2e.Command;
import io.cellmesh.operations.verify.Verifier;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.chaos.RetentionAtCommit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One data centre with three storage clusters, of which any one can be missed, and two Connect
 * workers that take over from each other. It serves all scenarios, one after the other. Records are
 * deleted from the ingest topics as the sink's committed offsets pass them, until a scenario {@link
 * #retain}s them.
 */
public final class FaultStack implements AutoCloseable {
  public static final String SINK = "trips-sink";

  private static final String DC = "dc1";
  private static final Duration CONNECTORS = Duration.ofSeconds(90);

  private final Stack stack;
  private final boolean own;
  private final Topology topology;
  private Optional<RetentionAtCommit> retention;

  private FaultStack(Stack stack, boolean own) {
    this.stack = stack;
    this.own = own;
    this.topology = stack.devStack().topology(DC);
    this.retention =
        Optional.of(
            RetentionAtCommit.start(
                KafkaAccess.plain(bootstrap()),
                topology.topics(),
                "connect-" + SINK,
                directory().resolve("archive")));
  }

  /** As the faults of the sink need it: with a third cluster, so that one can be missed. */
  static FaultStack start(Path state) throws Exception {
    return start(StackOptions.of(1, List.of()).withClusters(3).withWorkers(2), state);
  }

  /**
   * Any other, of one data centre.
   *
   * @param state where its data and logs are to be
   */
  public static FaultStack start(StackOptions options, Path state) throws Exception {
    return new FaultStack(Stack.start(options.in(state), Command.silent().steps()), true);
  }

  /** One that others use after it, and close. */
  public static FaultStack of(Stack stack) {
    return new FaultStack(stack, false);
  }

  /** As it was at the start; what promotions change, {@link #clusters} has. */
  public Topology topology() {
    return topology;
  }

  /** The Connect worker that commands talk to. */
  public ConnectWorker askedWorker() {
    return stack.devStack().worker(DC);
  }

  public String bootstrap() {
    return stack.devStack().broker(DC).bootstrap();
  }

  public MySqlCluster cluster(String name) {
    return stack.devStack().cluster(DC, name);
  }

  public MySqlServer master(String cluster) {
    return cluster(cluster).master();
  }

  public List<MySqlCluster> clusters() {
    return stack.devStack().clusters(DC);
  }

  List<MySqlServer> masters() {
    return clusters().stream().map(MySqlCluster::master).toList();
  }

  public List<ConnectWorker> workers() {
    return stack.devStack().workers(DC);
  }

  public ConnectWorker otherThan(ConnectWorker worker) {
    return workers().stream().filter(other -> other != worker).findFirst().orElseThrow();
  }

  /** {@code http://127.0.0.1:PORT} of a worker that answers. */
  public String connectUrl() {
    return workers().stream()
        .filter(worker -> worker.isAlive() && worker.client().isHealthy())
        .findFirst()
        .orElseThrow()
        .url();
  }

  /** Of a worker that answers. */
  public ConnectClient connect() {
    return workers().stream()
        .filter(ConnectWorker::isAlive)
        .map(ConnectWorker::client)
        .filter(ConnectClient::isHealthy)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no worker answers"));
  }

  ConnectorStatus sink() {
    return connect().status(SINK).orElseThrow();
  }

  /** How many lines of the workers' logs have a text in them. */
  public long logged(String text) throws IOException {
    long lines = 0;
    for (var worker : workers()) {
      lines += Files.readAllLines(worker.log()).stream().filter(l -> l.contains(text)).count();
    }
    return lines;
  }

  /** The last line of the workers' logs that a class wrote and that has a text in it. */
  public String lastLogged(String from, String text) throws IOException {
    var last = "";
    for (var worker : workers()) {
      for (var line : Files.readAllLines(worker.log())) {
        // Lines begin with their time, so that of two the later one is the greater.
        if (line.contains(from) && line.contains(text) && line.compareTo(last) > 0) {
          last = line;
        }
      }
    }
    return last;
  }

  /** The worker that runs a task of the sink. */
  ConnectWorker workerOf(int task) {
    return workerOf(SINK, task);
  }

  /** The worker that runs a task of a connector, or ran it before it died. */
  public ConnectWorker workerOf(String connector, int task) {
    var at = connect().status(connector).orElseThrow().tasks().get(task).worker();
    return workers().stream()
        .filter(worker -> at.endsWith(":" + worker.port()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("task " + task + " is at " + at));
  }

  /** An application by its name, such as {@code dc1-index-streams}. */
  public JavaApp app(String name) {
    return stack.devStack().app(name);
  }

  public KafkaBroker broker() {
    return stack.devStack().broker(DC);
  }

  /** Where the stack keeps its files. */
  public Path directory() {
    return stack.devStack().stateDir();
  }

  /** One more mysqld, empty and of no role yet. */
  public MySqlServer addServer(String cluster) {
    return stack.devStack().addServer(DC, cluster);
  }

  /** Brings a master back as a person would: starts it, looks, and opens it. */
  public void bringBack(MySqlServer master) {
    master.start();
    master.awaitReady();
    master.openMaster();
  }

  public void bringBack(ConnectWorker worker) {
    worker.start();
    worker.awaitReady();
  }

  /** Everything runs and nothing is paused; what a failed scenario left broken is mended. */
  public void heal() {
    for (var cluster : clusters()) {
      for (var server : cluster.servers()) {
        server.resume();
        if (!server.isAlive()) {
          server.start();
          server.awaitReady();
        }
      }
      cluster.master().openMaster();
    }
    for (var worker : workers()) {
      worker.resume();
      if (!worker.isAlive()) {
        bringBack(worker);
      }
    }
    var connect = connect();
    for (var connector : connect.connectors()) {
      if (connect.status(connector).flatMap(ConnectorStatus::failure).isPresent()) {
        connect.restart(connector);
      }
      connect.awaitRunning(connector, CONNECTORS);
    }
    var ingest = new Ingest(this);
    await("the sink at the end of its topics").atMost(CONNECTORS).until(() -> isRead(ingest));
  }

  /** Of a partition that never had a record there is no offset. */
  private static boolean isRead(Ingest ingest) throws Exception {
    var committed = ingest.committed();
    return ingest.ends().entrySet().stream()
        .allMatch(end -> committed.getOrDefault(end.getKey(), 0L).equals(end.getValue()));
  }

  /**
   * Deletes no more records, since the next scenarios set offsets by hand, or let records expire
   * and topics begin anew themselves.
   */
  void retain() {
    if (retention.isPresent() && !Figures.isFull()) {
      Report.line("verify, before records are retained: %s", verify());
    }
    stopDeleting();
  }

  private void stopDeleting() {
    retention.ifPresent(RetentionAtCommit::close);
    retention = Optional.empty();
  }

  /**
   * Requires that {@code verify} finds nothing wrong; returns what it counted. It looks at what
   * Kafka no longer has as well, unless records are {@linkplain #retain retained}.
   */
  public String verify() {
    if (retention.isEmpty()) {
      var verify = command("verify");
      assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
      return verify.out();
    }
    try {
      retention.get().awaitArchived();
      var archives = Map.of(DC, retention.get().archive());
      var verification = new Verifier(stack.deployment(), archives).run(partition -> {});
      assertThat(verification.passed()).as("%s", verification).isTrue();
      return verification.results().toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while records were archived", e);
    } catch (IOException | SQLException e) {
      throw new IllegalStateException("verify can't read everything", e);
    }
  }

  /** Runs a command of {@code cellmesh} against this stack. */
  public Command command(String... words) {
    return Command.on(stack.devStack().stateDir(), words);
  }

  @Override
  public void close() {
    stopDeleting();
    if (own) {
      stack.close();
    }
  }
}
