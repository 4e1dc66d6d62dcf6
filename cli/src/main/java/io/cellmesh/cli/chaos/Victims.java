package io.cellmesh.cli.chaos;

import io.cellmesh.cell.Topology;
import io.cellmesh.cli.cluster.ClusterSite;
import io.cellmesh.cli.cluster.TopologyHome;
import io.cellmesh.cli.minion.MinionAddition;
import io.cellmesh.cli.minion.StackMachines;
import io.cellmesh.cli.promotion.Promotion;
import io.cellmesh.cli.terminal.Steps;
import io.cellmesh.devstack.ConnectClient;
import io.cellmesh.devstack.ConnectWorker;
import io.cellmesh.devstack.ConnectorStatus;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.KafkaBroker;
import io.cellmesh.devstack.MySqlCluster;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.storage.Credentials;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The parts of a stack of one data centre, roles as they are now, and what a person does there. */
final class Victims {
  private static final Credentials ROOT = new Credentials("root", "");

  private final DevStack stack;
  private final String dc;

  Victims(DevStack stack) {
    this.stack = stack;
    this.dc = stack.datacenters().get(0);
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

  KafkaBroker broker() {
    return stack.broker(dc);
  }

  /** Starts a master, looks, and opens it. */
  static void open(MySqlServer master) {
    if (!master.isAlive()) {
      master.start();
    }
    master.awaitReady();
    master.openMaster();
  }

  /** Gives {@code cellmesh promote}; an old master that does not answer is dead for certain. */
  void promote(String cluster, MySqlServer to, Steps steps) throws Exception {
    try (var promotion = new Promotion(site(), cluster, to.server().address())) {
      promotion.run(promotion.plan(), steps, stage -> {});
    }
  }

  /** Gives {@code cellmesh minion add}. */
  void addMinion(String cluster, Steps steps) throws Exception {
    var machine = new StackMachines(stack.stateDir(), dc).add(cluster, Optional.empty());
    try (var addition = new MinionAddition(site(), cluster)) {
      addition.run(machine, steps);
    }
  }

  /** Everything that a topology names runs, and nothing is paused; masters are open. */
  void heal() {
    for (var cluster : clusters()) {
      for (var server : cluster.servers()) {
        server.resume();
        if (!server.isAlive()) {
          server.start();
        }
      }
      cluster.servers().forEach(MySqlServer::awaitReady);
      cluster.master().openMaster();
    }
    broker().resume();
    if (!broker().isAlive()) {
      broker().start();
      broker().awaitReady();
    }
    for (var worker : workers()) {
      worker.resume();
      if (!worker.isAlive()) {
        worker.start();
      }
      // Before the next: a leader that is still starting fails the sources of the others.
      worker.awaitReady();
    }
  }

  /** What a person would have to mend: connectors and tasks that have failed, in a line each. */
  List<String> failed() {
    var connect = connect();
    var failed = new ArrayList<String>();
    for (var name : connect.connectors()) {
      connect
          .status(name)
          .flatMap(ConnectorStatus::failure)
          .ifPresent(trace -> failed.add(name + ": " + trace.lines().findFirst().orElse("")));
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

  private ClusterSite site() {
    return new ClusterSite(
        TopologyHome.ofStack(stack.stateDir(), dc), URI.create(answering().url()), ROOT, ROOT);
  }
}
