package io.cellmesh.cli.stack;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cli.connectors.ConnectorTemplate.Connector;
import io.cellmesh.cli.connectors.InstanceConnectors;
import io.cellmesh.cli.deployment.DataCenter;
import io.cellmesh.cli.deployment.Deployment;
import io.cellmesh.cli.deployment.IndexFile;
import io.cellmesh.cli.kafka.Consumers;
import io.cellmesh.cli.terminal.Steps.Step;
import io.cellmesh.cli.topics.InstanceTopics;
import io.cellmesh.devstack.ConnectClient;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexSchema;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes an instance of running servers, in the order that loses nothing: topics and tables, then
 * the sources, so that they stand before the first cell, then what writes and what follows.
 */
final class InstanceCreation {
  private static final Duration CONNECTOR_START = Duration.ofSeconds(90);
  private static final MySqlOptions PATIENT =
      new MySqlOptions(
          Duration.ofSeconds(5),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          MySqlOptions.DEFAULT.sslMode(),
          MySqlOptions.DEFAULT.poolSize());

  private final Applications applications;
  private final Deployment deployment;
  private final Path home;

  InstanceCreation(DevStack devStack, Deployment deployment, Path home) {
    this.applications = new Applications(devStack, deployment, home);
    this.deployment = deployment;
    this.home = home;
  }

  Void topics(Step step) throws Exception {
    var indexes = deployment.indexes().stream().map(IndexFile::name).toList();
    return inEachDataCenter(
        dc -> {
          try (var admin = Consumers.admin(dc.kafka())) {
            new InstanceTopics(admin, deployment.topics(), deployment.shards(), (short) 1)
                .create(indexes);
          }
        });
  }

  Void databases(Step step) throws Exception {
    int total = deployment.datacenters().size() * deployment.shards().count();
    var done = new AtomicInteger();
    try (var pools = new Pools(deployment.credentials(), PATIENT)) {
      var works = new ArrayList<Callable<Void>>();
      for (var dc : deployment.datacenters()) {
        for (var cluster : dc.topology().clusters()) {
          works.add(
              () -> {
                create(dc, cluster, pools, n -> step.detail(done.addAndGet(n) + " of " + total));
                return null;
              });
        }
      }
      Parallel.run(works);
      return inEachDataCenter(
          dc -> {
            for (var index : deployment.indexes()) {
              new IndexSchema(dc.topology(), index.definition(), pools).create(n -> {});
            }
          });
    }
  }

  Void connectors(Step step) throws Exception {
    return inEachDataCenter(
        dc -> {
          var client = new ConnectClient(URI.create(dc.connect()));
          var connectors =
              new ArrayList<>(
                  new InstanceConnectors(
                          dc.topology(), dc.kafka(), deployment.credentials(), deployment.indexes())
                      .render(home.resolve("connectors")));
          connectors.sort(Comparator.comparing(c -> !isSource(c)));
          for (var connector : connectors) {
            client.put(connector.name(), connector.config());
          }
          for (var connector : connectors) {
            step.detail(dc.name() + " " + connector.name());
            client.awaitRunning(connector.name(), CONNECTOR_START);
          }
        });
  }

  /** Starts the applications, which take a while to meet and need no database. */
  void startApplications() {
    applications.start();
  }

  Void awaitApplications(Step step) throws InterruptedException {
    applications.awaitReady();
    return null;
  }

  private void create(
      DataCenter dc, StorageCluster cluster, Pools pools, java.util.function.IntConsumer progress)
      throws Exception {
    new InstanceSchema(dc.topology(), pools).create(cluster, progress);
  }

  private static boolean isSource(Connector connector) {
    return connector.connectorClass().endsWith("SourceConnector");
  }

  private Void inEachDataCenter(Work work) throws Exception {
    List<Callable<Void>> works =
        deployment.datacenters().stream()
            .map(
                dc ->
                    (Callable<Void>)
                        () -> {
                          work.run(dc);
                          return null;
                        })
            .toList();
    Parallel.run(works);
    return null;
  }

  private interface Work {
    void run(DataCenter dc) throws Exception;
  }
}
