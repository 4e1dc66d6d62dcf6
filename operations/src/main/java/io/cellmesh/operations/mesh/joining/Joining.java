package io.cellmesh.operations.mesh.joining;

import io.cellmesh.cell.LinkHold.Kind;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.operations.connectors.ConnectorRollout;
import io.cellmesh.operations.connectors.InstanceConnectors;
import io.cellmesh.operations.instance.InstanceDatabases;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.operations.instance.TopicPlan;
import io.cellmesh.operations.mesh.AtDataCenter;
import io.cellmesh.operations.mesh.LinkHolds;
import io.cellmesh.operations.mesh.LinkPlace;
import io.cellmesh.operations.mesh.LinkProof;
import io.cellmesh.operations.mesh.RemovedCells;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogShape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Lets a data centre join an instance: makes what it lacks, has its links read all that the others
 * have, and tells when it has been proved that it has.
 *
 * <p>Each step first looks at what is there. So it may be interrupted anywhere, also by the loss of
 * the machine that it runs on, and run again.
 */
public final class Joining {
  private final Deployment deployment;
  private final DataCenter joining;
  private final List<DataCenter> peers;
  private final Settings settings;
  private final OperationListener steps;
  private final Consumer<String> tell;

  /**
   * What may be said about it.
   *
   * @param replication of the topics that are made; below 0 for the brokers' default
   * @param rate cells a second that are read from entity tables, at most; 0 for as fast as possible
   * @param templates the directory of the connectors' configurations
   */
  public record Settings(short replication, double rate, Path templates) {}

  /**
   * @param deployment which names the data centre, too
   * @param tell told what a person should know, in sentences
   * @throws OperationException if there is nobody to join
   */
  public Joining(
      Deployment deployment,
      DataCenter joining,
      Settings settings,
      OperationListener steps,
      Consumer<String> tell) {
    this.deployment = deployment;
    this.joining = joining;
    this.settings = settings;
    this.steps = steps;
    this.tell = tell;
    this.peers =
        deployment.datacenters().stream().filter(dc -> !dc.name().equals(joining.name())).toList();
    if (peers.isEmpty()) {
      throw OperationException.invalid(
          "%s names no other data centre than %s, so there is nobody to join"
              .formatted(deployment.source(), joining.name()));
    }
  }

  /**
   * Returns once it has joined.
   *
   * @return what is proved of it and of the others
   * @throws OperationException with what stands in the way
   */
  public List<LinkProof> run() throws Exception {
    var check = new JoiningCheck(deployment, joining, peers);
    steps
        .call("compare " + joining.name() + " with its peers", step -> check.identities())
        .forEach(tell);
    steps.call("nobody is given up as lost", step -> check.holds()).forEach(tell);
    AtDataCenter.run(joining, this::create);
    steps.run(
        "reach every part of all data centres",
        step -> {
          long warnings = check.reach(settings.templates());
          step.result(
              "every part of all data centres answers and has its rights"
                  + (warnings == 0
                      ? ""
                      : "; `cellmesh deployment check` has %d warnings".formatted(warnings)));
        });
    tellLinks();
    for (var peer : peers) {
      AtDataCenter.run(peer, () -> seed(peer));
    }
    bringRemoved();
    var proofs =
        steps.call(
            joining.name() + " gets the cells of its peers",
            step -> new JoiningWatch(deployment, joining, peers).await(step));
    for (var peer : peers) {
      AtDataCenter.run(peer, () -> removeSeed(peer));
    }
    return proofs;
  }

  private void create() throws Exception {
    var topology = joining.topology().requireSecondaries();
    steps.run("topics of " + joining.name(), this::topics);
    steps.run("databases of " + joining.name(), step -> databases(topology, step));
    steps.run(
        "what %s has written before".formatted(joining.name()),
        step -> {
          int shards = new FormerCells(joining, peers, settings.rate()).bringBack(step);
          step.result(
              shards == 0
                  ? "%s lacks no cell of its own".formatted(joining.name())
                  : "%s: one of its name had written cells, which its peers have given back in %d shards"
                      .formatted(joining.name(), shards));
          forgetThatItWasLost();
        });
    steps.run("connectors of " + joining.name(), this::connectors);
  }

  private void topics(Step step) throws InterruptedException {
    try (var admin = Consumers.admin(joining.kafka())) {
      var topics = new InstanceTopics(admin, plan(joining));
      int missing = topics.missing(List.of());
      topics.create(List.of());
      result(step, "topics", missing, topics.count(List.of()));
    }
  }

  private void databases(Topology topology, Step step) throws Exception {
    try (var pools = new Pools(joining.operator(), InstanceDatabases.OPTIONS)) {
      for (var cluster : InstanceDatabases.openNewMasters(topology, pools)) {
        tell.accept(
            "%s: opened its master %s, which had started read-only"
                .formatted(cluster.name(), cluster.master().address()));
      }
      var creation = new Creation(step, topology.shards().count());
      InstanceDatabases.create(topology, pools, creation);
      result(step, "databases", creation.made.get(), topology.shards().count());
    }
  }

  /** Counts the databases that are made, and shows how many there are. */
  private static final class Creation implements InstanceSchema.CreationListener {
    private final Step step;
    private final int all;
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger made = new AtomicInteger();

    Creation(Step step, int all) {
      this.step = step;
      this.all = all;
    }

    @Override
    public void made(int shards) {
      made.addAndGet(shards);
      found(shards);
    }

    @Override
    public void found(int shards) {
      step.progress(done.addAndGet(shards), all);
    }
  }

  private void result(Step step, String what, int made, int all) {
    step.result(
        "%s of %s: %s"
            .formatted(
                what,
                joining.name(),
                made == 0
                    ? "all %d are there".formatted(all)
                    : "made %d of %d".formatted(made, all)));
  }

  /** Links to one that was removed stand still, lest they begin anew; now they are to begin. */
  private void forgetThatItWasLost() throws Exception {
    for (var peer : peers) {
      AtDataCenter.run(peer, () -> forgetThatItWasLost(peer));
    }
  }

  private void forgetThatItWasLost(DataCenter peer) throws InterruptedException {
    var holds = new LinkHolds(peer);
    var hold = holds.of(joining.name()).filter(held -> held.kind() == Kind.LOST);
    if (hold.isPresent()) {
      holds.lift(joining.name());
      tell.accept(
          "link %s from %s begins anew: it was %s"
              .formatted(peer.name(), joining.name(), hold.get().text()));
    }
  }

  /** Those that are there are left as they are. */
  private void connectors(Step step) throws Exception {
    var there = ConnectClients.of(joining).connectors();
    var missing =
        new InstanceConnectors(joining.topology(), joining.connectors())
            .render(settings.templates()).stream()
                .filter(connector -> !there.contains(connector.name()))
                .toList();
    if (!missing.isEmpty()) {
      new ConnectorRollout(joining).run(missing, (name, outcome) -> step.detail(name));
    }
    step.result(
        "connectors of %s: %s"
            .formatted(
                joining.name(),
                missing.isEmpty()
                    ? "all are there"
                    : missing.stream()
                        .map(connector -> connector.name())
                        .collect(Collectors.joining(", ", "made ", ""))));
  }

  private void tellLinks() throws Exception {
    var links = new ArrayList<LinkState>();
    for (var peer : peers) {
      AtDataCenter.run(
          peer,
          () -> {
            links.add(LinkState.of(joining, peer));
            links.add(LinkState.of(peer, joining));
          });
    }
    links.forEach(
        link ->
            tell.accept(
                "link %s: %s".formatted(link.name(), link.runs() ? "runs" : "does not run")));
    for (var name : LinkState.toStart(links)) {
      tell.accept(
          "in %s start herb-replicator, or start it again with this file: `herb-replicator --deployment %s --dc %s`"
              .formatted(name, deployment.source(), name));
    }
  }

  private void seed(DataCenter peer) throws Exception {
    var place = LinkPlace.of(joining, peer);
    var lost = new TreeSet<Integer>();
    for (var partition : place.places()) {
      if (partition.state() == ReadPlace.State.CHANGED) {
        throw OperationException.refused(
            "%s; if that is right: `%s`".formatted(partition.text(), place.acceptance()));
      }
      if (partition.bad()) {
        lost.add(partition.partition());
      }
    }
    if (lost.isEmpty()) {
      tell.accept(
          "%s: its log has all that %s has to read, so there is no seed"
              .formatted(peer.name(), joining.name()));
      return;
    }
    LogRetention.warning(peer).ifPresent(tell);
    steps.run(
        "seed of %s for %s".formatted(peer.name(), joining.name()),
        step -> {
          var writer = new SeedWriter(peer, joining.name(), plan(peer), settings.rate());
          long cells = writer.run(lost, place.found(), step);
          step.result(
              "seed of %s for %s: complete in %d partitions whose log was cut, %,d cells written now"
                  .formatted(peer.name(), joining.name(), lost.size(), cells));
        });
  }

  private void bringRemoved() throws Exception {
    var removed = new RemovedCells(joining, peers);
    for (var origin : removed.origins()) {
      steps
          .call(
              "cells of %s, which was removed".formatted(origin),
              step -> removed.bring(origin, settings.rate(), step))
          .forEach(tell);
    }
  }

  private void removeSeed(DataCenter peer) throws InterruptedException {
    var topic = peer.topology().topics().seed(joining.name());
    try (var admin = Consumers.admin(peer.kafka())) {
      if (SeedWriter.delete(admin, topic)) {
        tell.accept("%s of %s is deleted".formatted(topic, peer.name()));
      }
    }
  }

  private TopicPlan plan(DataCenter dc) {
    return new TopicPlan(
        dc.topology().topics(), dc.topology().shards(), LogShape.PARTITION, settings.replication());
  }
}
