package io.cellmesh.stack;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.operations.connectors.InstanceConnectors;
import io.cellmesh.operations.index.IndexSite;
import io.cellmesh.operations.index.PassNames;
import io.cellmesh.operations.index.PassPublication;
import io.cellmesh.operations.instance.InstanceDatabases;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.operations.instance.TopicPlan;
import io.cellmesh.storage.Parallel;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexCatalog;
import io.cellmesh.storage.index.IndexSchema;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.storage.index.IndexVersion.State;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogShape;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Makes an instance of running servers, in the order that loses nothing: topics and tables, then
 * the sources, so that they stand before the first cell, then what writes and what follows.
 */
final class InstanceCreation {
  private static final Duration CONNECTOR_START = Duration.ofSeconds(90);
  private final DevStack devStack;
  private final Applications applications;
  private final Deployment deployment;
  private final List<IndexFile> indexes;
  private final Path home;
  private final LogShape shape;

  InstanceCreation(DevStack devStack, Deployment deployment, StackOptions options, Path home) {
    this.devStack = devStack;
    this.indexes = options.indexes();
    this.applications =
        new Applications(devStack, deployment, !indexes.isEmpty(), options.undisturbed(), home);
    this.deployment = deployment;
    this.home = home;
    this.shape = options.shape();
  }

  void topics(Step step) throws Exception {
    var labels = indexes.stream().map(IndexFile::label).toList();
    var done = new AtomicInteger();
    Parallel.forEach(
        deployment.datacenters(),
        dc -> {
          try (var admin = Consumers.admin(dc.kafka())) {
            var copies = (short) devStack.brokers(dc.name()).size();
            var plan = new TopicPlan(deployment.topics(), deployment.shards(), shape, copies);
            var topics = new InstanceTopics(admin, plan);
            int total = topics.count(labels) * deployment.datacenters().size();
            topics.create(labels, n -> step.progress(done.addAndGet(n), total));
          }
          var users = KafkaUsers.of(devStack.stateDir());
          if (users.isPresent()) {
            var worker = devStack.worker(dc.name()).properties();
            users.get().allow(deployment, dc, shape, worker);
          }
        });
  }

  void databases(Step step) throws Exception {
    int tables = 1 + indexes.size();
    int total = deployment.datacenters().size() * deployment.shards().count() * tables;
    var done = new AtomicInteger();
    IntConsumer progress = n -> step.progress(done.addAndGet(n), total);
    try (var pools = new Pools(deployment.operator(), InstanceDatabases.OPTIONS)) {
      Parallel.forEach(
          deployment.datacenters(),
          dc -> {
            InstanceDatabases.create(dc.topology(), pools, progress::accept);
            for (var index : indexes) {
              new IndexSchema(dc.topology(), index.definition(), pools).create(progress);
            }
            catalogue(dc, pools);
            PassPublication.of(new IndexSite(deployment, dc, pools)).run(List.of());
            var users = RoleUsers.of(devStack.stateDir());
            if (users.isPresent()) {
              var definitions = indexes.stream().map(IndexFile::definition).toList();
              users.get().create(dc.topology(), definitions, pools);
            }
          });
    }
  }

  /** Empty tables of an instance without cells are complete. */
  private void catalogue(DataCenter dc, Pools pools) throws SQLException {
    var catalog = new IndexCatalog(dc.topology(), pools);
    if (!indexes.isEmpty() && catalog.read().isEmpty()) {
      var newest = new TreeMap<String, Integer>();
      indexes.forEach(i -> newest.merge(i.name(), i.definition().version(), Math::max));
      var versions = new ArrayList<IndexVersion>();
      for (var index : indexes) {
        boolean serves = newest.get(index.name()) == index.definition().version();
        versions.add(
            new IndexVersion(
                index.definition(), serves ? State.SERVING : State.READY, PassNames.FIRST, 0));
      }
      catalog.put(versions);
    }
  }

  void connectors(Step step) throws Exception {
    Parallel.forEach(
        deployment.datacenters(),
        dc -> {
          var client = ConnectClients.of(dc);
          var connectors =
              new ArrayList<>(
                  new InstanceConnectors(
                          dc.topology(),
                          dc.connectors(),
                          PassNames.FIRST,
                          indexes.stream().map(IndexFile::definition).toList(),
                          shape)
                      .render(home.resolve("connectors")));
          connectors.sort(Comparator.comparing(c -> !c.isSource()));
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

  void awaitApplications(Step step) throws InterruptedException {
    applications.awaitReady();
  }
}
