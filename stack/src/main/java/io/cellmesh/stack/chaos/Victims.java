package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.devstack.Child;
import io.cellmesh.devstack.ConnectWorker;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Disk;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.KafkaBroker;
import io.cellmesh.devstack.MySqlCluster;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.NetworkPath;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.operations.minion.MinionAddition;
import io.cellmesh.operations.promotion.Promotion;
import io.cellmesh.stack.StackMachines;
import io.cellmesh.stack.StackTopology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The parts of a stack of one data centre, roles as they are now, and what a person does there. */
final class Victims {
  private static final Credentials ROOT = new Credentials("root", "");

  /** How soon a person gives a command again. */
  private static final Duration AGAIN = Duration.ofSeconds(2);

  /**
   * A task that its connector starts anew may say so long that it has failed, and on a slow machine
   * workers that rebalance may not answer at all.
   */
  private static final Duration BY_ITSELF = Duration.ofSeconds(60);

  /** A JVM takes its time where many start at once. */
  private static final Duration START = Duration.ofMinutes(2);

  private static final Duration LOOK = Duration.ofMillis(500);

  private final DevStack stack;
  private final String dc;
  private final Optional<WorkerCalls> calls;

  /**
   * @param worker where {@link #node} answers; empty where nobody reads
   */
  Victims(DevStack stack, String dc, Optional<URI> worker) {
    this.stack = stack;
    this.dc = dc;
    this.calls = worker.map(at -> new WorkerCalls(at, stack.topology(dc).instance()));
  }

  String datacenter() {
    return dc;
  }

  Topology topology() {
    return stack.topology(dc);
  }

  List<MySqlCluster> clusters() {
    return stack.clusters(dc);
  }

  MySqlServer master(String cluster) {
    return stack.cluster(dc, cluster).master();
  }

  List<ConnectWorker> workers() {
    return stack.workers(dc);
  }

  List<KafkaBroker> brokers() {
    return stack.brokers(dc);
  }

  /** Where clients find the brokers. */
  String bootstrap() {
    return stack.broker(dc).bootstrap();
  }

  /** The disk of a server or broker, where each has one. */
  Disk disk(Child child) {
    return stack.disk(child);
  }

  /** Where a copy of a server's files can be. */
  Path backup(MySqlServer server) {
    return stack.stateDir().resolve(server.name() + ".backup");
  }

  /** The worker that serves cells over HTTP. */
  JavaApp node() {
    return stack.app(dc + "-worker");
  }

  /** Starts {@link #node}; returns when it can serve. */
  void startNode() throws InterruptedException {
    node().start();
    if (!Waiting.<InterruptedException>within(START, LOOK, calls()::isReady)) {
      throw new IllegalStateException(node() + " does not serve two minutes after its start");
    }
  }

  /** Keeps the index. */
  JavaApp indexStreams() {
    return stack.app(dc + "-index-streams");
  }

  /** The process of {@link ChaosTrigger}. */
  JavaApp trigger() {
    return stack.app(ChaosTrigger.name(dc));
  }

  /**
   * Any process but the broker, for which none stands in.
   *
   * @param number counted round
   */
  Child any(int number) {
    var all = withoutBrokers();
    return all.get(number % all.size());
  }

  /**
   * Whose clock can be set apart. With another time of day than the machine's a JVM waits for its
   * own locks in vain.
   *
   * @param number counted round
   */
  MySqlServer withClock(int number) {
    var servers = servers();
    return servers.get(number % servers.size());
  }

  /** Every process that a data centre has. */
  List<Child> all() {
    var all = withoutBrokers();
    all.addAll(brokers());
    return all;
  }

  private List<Child> withoutBrokers() {
    var children = new ArrayList<Child>(servers());
    children.addAll(workers());
    children.addAll(applications());
    return children;
  }

  private List<MySqlServer> servers() {
    return clusters().stream().flatMap(cluster -> cluster.servers().stream()).toList();
  }

  /** The network between the brokers and another data centre's clients. */
  List<NetworkPath> pathsFrom(String datacenter) {
    return brokers().stream().flatMap(broker -> broker.pathFrom(datacenter).stream()).toList();
  }

  /** Whether there are a worker, an index and a trigger. */
  boolean isRead() {
    return calls.isPresent();
  }

  /** Asks {@link #node}. */
  WorkerCalls calls() {
    return calls.orElseThrow();
  }

  /** Brings the peers' cells here; only where there are peers. */
  JavaApp herbReplicator() {
    return stack.app(dc + "-herb-replicator");
  }

  private boolean hasPeers() {
    return stack.datacenters().size() > 1;
  }

  private List<JavaApp> applications() {
    var applications = new ArrayList<JavaApp>();
    if (isRead()) {
      applications.addAll(List.of(node(), indexStreams(), trigger()));
    }
    if (hasPeers()) {
      applications.add(herbReplicator());
    }
    return applications;
  }

  /** Starts a master, looks, and opens it. */
  static void open(MySqlServer master) {
    if (!master.isAlive()) {
      master.start();
    }
    master.awaitReady();
    master.openMaster();
  }

  /**
   * Gives {@code cellmesh promote}; an old master that does not answer is dead for certain.
   *
   * @param patience for how long a command that fails is given again: what it needs may have been
   *     struck, too
   */
  void promote(String cluster, MySqlServer to, Duration patience, OperationListener steps)
      throws Exception {
    long begun = System.nanoTime();
    while (true) {
      try (var promotion = new Promotion(site(), cluster, to.server().address())) {
        promotion.run(promotion.plan(), steps, stage -> {});
        return;
      } catch (RuntimeException | IOException | SQLException e) {
        if (System.nanoTime() - begun > patience.toNanos()) {
          throw e;
        }
        Thread.sleep(AGAIN.toMillis());
      }
    }
  }

  /**
   * Puts an old backup of a master back, and gives {@code cellmesh promote} for it, which must be
   * refused.
   *
   * @throws IllegalStateException if it is opened
   */
  void refuse(String cluster, MySqlServer restored) throws Exception {
    try (var promotion = new Promotion(site(), cluster, restored.server().address())) {
      promotion.plan();
    } catch (OperationException e) {
      if (e.getMessage().contains("It is not what it was")) {
        return;
      }
      throw e;
    }
    throw new IllegalStateException(restored + " comes from a backup and would be opened");
  }

  /** Gives {@code cellmesh minion add}. */
  void addMinion(String cluster, OperationListener steps) throws Exception {
    var machine = new StackMachines(stack.stateDir(), dc).add(cluster, Optional.empty());
    try (var addition = new MinionAddition(site(), cluster)) {
      addition.run(machine, steps);
    }
  }

  /** Everything that a topology names runs, and nothing is paused; masters are open. */
  void heal() {
    for (var cluster : clusters()) {
      for (var server : cluster.servers()) {
        free(server, server.port());
        bringBack(server);
      }
      cluster.servers().forEach(MySqlServer::awaitReady);
      cluster.master().openMaster();
    }
    for (var broker : brokers()) {
      free(broker, broker.port());
      bringBack(broker);
    }
    brokers().forEach(Child::awaitReady);
    for (var worker : workers()) {
      bringBack(worker);
      // Before the next: a leader that is still starting fails the sources of the others.
      worker.awaitReady();
    }
    applications().forEach(Victims::bringBack);
  }

  private void free(Child child, int port) {
    NetworkPath.before(port).ifPresent(NetworkPath::free);
    makeRoom(child);
  }

  private static void bringBack(Child child) {
    child.resume();
    if (!child.isAlive()) {
      child.start();
    }
  }

  private void makeRoom(Child child) {
    try {
      disk(child).free();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What a person would have to mend, in a line each: connectors and tasks that have failed and do
   * not come back by themselves, and applications that have ended.
   */
  List<String> failed() throws InterruptedException {
    Waiting.within(BY_ITSELF, LOOK, () -> failedNow().isEmpty());
    return failedNow();
  }

  private List<String> failedNow() {
    var ended = applications().stream().filter(application -> !application.isAlive()).toList();
    if (!ended.isEmpty()) {
      return ended.stream().map(application -> application + " has ended").toList();
    }
    try {
      return failedParts(connect());
    } catch (RuntimeException e) {
      return List.of("Connect can't be asked: " + e.getMessage());
    }
  }

  private static List<String> failedParts(ConnectClient connect) {
    var failed = new ArrayList<String>();
    for (var name : connect.connectors()) {
      connect
          .status(name)
          .flatMap(ConnectorStatus::failed)
          .ifPresent(part -> failed.add(name + ": " + part.reason()));
    }
    return failed;
  }

  private ConnectClient connect() {
    return answering().client();
  }

  private ConnectWorker answering() {
    return workers().stream()
        .filter(worker -> worker.isAlive() && worker.client().isHealthy())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no Connect worker answers"));
  }

  private DataCenter site() {
    var store = new StackTopology(stack.stateDir(), dc);
    return new DataCenter(
        dc,
        store.read(),
        store,
        FixedAccess.plain(bootstrap(), URI.create(answering().url()), ROOT));
  }
}
