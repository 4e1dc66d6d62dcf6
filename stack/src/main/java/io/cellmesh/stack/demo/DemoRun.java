package io.cellmesh.stack.demo;

import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.operations.status.Pipeline;
import io.cellmesh.operations.status.PipelineHop;
import io.cellmesh.operations.status.Quiescence;
import io.cellmesh.operations.verify.Verification;
import io.cellmesh.operations.verify.Verifier;
import io.cellmesh.stack.Stack;
import io.cellmesh.storage.Pools;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Steps;
import io.cellmesh.terminal.Texts;
import io.cellmesh.topics.load.CellProducer;
import io.cellmesh.topics.load.Loader;
import java.time.Duration;
import java.util.List;

/** The measured part of the demo: load, wait, time single cells, verify. */
public final class DemoRun {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Steps steps;
  private final Stack stack;
  private final Deployment deployment;
  private final long start;

  /**
   * @param start when the command began, as {@link System#nanoTime}
   */
  public DemoRun(Console console, Stack stack, long start) throws Exception {
    this.steps = console.steps();
    this.stack = stack;
    this.deployment = stack.deployment();
    this.start = start;
  }

  /**
   * Loads and waits, times single cells and verifies.
   *
   * @param expected about how many cells there are
   * @throws Exception that one of it ended with
   */
  public DemoFigures run(DemoLoad cells, long expected) throws Exception {
    try (var first = FirstSight.start(deployment.datacenters().get(0), 1)) {
      long loading = System.nanoTime();
      var loaded = steps.call("loading trips", step -> load(cells, expected, step));
      var behind = steps.call("all cells everywhere", this::quiet);
      var everywhere = Duration.ofNanos(System.nanoTime() - loading);
      var hops = steps.call("single cells, timed", step -> probe(cells, step));
      steps.run("all cells everywhere", this::quiet);
      var verification = steps.call("verify", this::verify);
      return new DemoFigures(
          first.first(Duration.ZERO).map(at -> Duration.ofNanos(at - start)),
          loaded,
          everywhere,
          behind,
          hops,
          verification,
          stack.memory().peak());
    }
  }

  private Loader.Result load(DemoLoad cells, long expected, Step step) throws Exception {
    var home = deployment.datacenters().get(0);
    try (var producer = new CellProducer(home.kafka(), deployment.topics())) {
      var result =
          new Loader(producer, 0).load(cells.bulk(), done -> step.progress(done, expected));
      step.result(
          "%s of %s loaded into %s"
              .formatted(
                  Texts.count(result.cells(), "cell"),
                  Texts.count(result.trips(), "trip"),
                  home.name()));
      return result;
    }
  }

  private List<PipelineHop> quiet(Step step) throws Exception {
    try (var pools = new Pools(deployment.operator());
        var pipeline = new Pipeline(deployment, pools)) {
      return new Quiescence(pipeline::hops)
          .await(
              PATIENCE,
              hops ->
                  step.detail(Texts.list(hops.stream().filter(hop -> hop.behind() > 0).toList())));
    }
  }

  private List<Samples> probe(DemoLoad cells, Step step) throws Exception {
    var probes = cells.probes();
    try (var pools = new Pools(deployment.operator())) {
      var timing = new Probes(deployment, pools);
      var samples = cells.areTrips() ? timing.billing(probes) : timing.run(probes);
      int sent = samples.stream().mapToInt(Samples::count).max().orElse(0);
      step.result(Texts.count(sent, "more cell") + " sent one by one and timed");
      return samples;
    }
  }

  private Verification verify(Step step) throws Exception {
    long partitions = deployment.shards().partitions();
    var verification = new Verifier(deployment).run(done -> step.progress(done, partitions));
    step.result(verification.passed() ? "verified" : "not verified");
    return verification;
  }
}
