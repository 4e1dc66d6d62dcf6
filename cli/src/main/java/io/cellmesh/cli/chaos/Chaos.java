package io.cellmesh.cli.chaos;

import io.cellmesh.cell.Shards;
import io.cellmesh.cli.chaos.Recovery.NotRecoveredException;
import io.cellmesh.cli.chaos.Schedule.Planned;
import io.cellmesh.cli.deployment.Deployment;
import io.cellmesh.cli.pipeline.Hop;
import io.cellmesh.cli.pipeline.Pipeline;
import io.cellmesh.cli.pipeline.Quiescence;
import io.cellmesh.cli.stack.Stack;
import io.cellmesh.cli.terminal.Steps;
import io.cellmesh.cli.terminal.Steps.Step;
import io.cellmesh.cli.verify.Verification;
import io.cellmesh.cli.verify.Verifier;
import io.cellmesh.devstack.Waiting;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Strikes a stack by a schedule while known cells flow, lets it heal, and proves what became of
 * them. One server at a time is lost for good, and the next fault waits until cells are in time
 * again.
 */
public final class Chaos {
  /** What is not back by then does not come back. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** After how many cells one comes again with another body. */
  private static final int CONFLICT_EVERY = 1_000;

  /** Of how many cells one is timed. */
  private static final int TIMED = 8;

  private static final Duration LOOK = Duration.ofMillis(200);

  private final Stack stack;
  private final Steps steps;
  private final Victims victims;
  private final Shards shards;
  private final MasterTables tables;
  private final AtomicLong acknowledged = new AtomicLong();
  private final List<Struck> faults = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();

  /**
   * @param stack of one data centre, with two Connect workers or more, and three storage clusters,
   *     of which one can be missed
   * @param steps told of each fault
   */
  public Chaos(Stack stack, Steps steps) {
    this.stack = stack;
    this.steps = steps;
    this.victims = new Victims(stack.devStack());
    this.shards = victims.topology().shards();
    this.tables = new MasterTables(victims.topology(), victims::master);
  }

  /**
   * Runs for a time; the fault that is under way by then comes to its end, and then everything is
   * waited for and verified.
   *
   * @param rate cells a second
   * @param seed of the cells' keys
   * @param exactlyOnce whether the sources are
   */
  public ChaosResult run(Schedule schedule, Duration time, int rate, long seed, boolean exactlyOnce)
      throws Exception {
    long begun = System.nanoTime();
    var topology = victims.topology();
    var bootstrap = stack.devStack().broker(stack.devStack().datacenters().get(0)).bootstrap();
    try (var visibility =
            Visibility.watch(topology, cluster -> victims.master(cluster).server().address());
        var log = LogWatch.start(bootstrap, topology);
        var cells =
            KnownCells.start(
                bootstrap,
                topology,
                rate,
                CONFLICT_EVERY,
                seed,
                (row, ref, place) -> expect(visibility, log, row, ref, place))) {
      var recovery = new Recovery(visibility, log);
      steps.run("cells flow", step -> recovery.await(System.nanoTime(), PATIENCE, step::detail));
      while (System.nanoTime() - begun < time.toNanos() && broken.isEmpty()) {
        strike(schedule.next(), recovery, begun);
      }
      cells.stop();
      long end = System.nanoTime();
      if (cells.acknowledged() == 0) {
        broken.add("Kafka acknowledged no cell at all, so nothing is proven");
      }
      steps.run("everything heals", step -> heal());
      var behind = steps.run("all cells everywhere", this::quiet);
      behind.forEach(hop -> broken.add("still behind: " + hop));
      long lost = lost(cells.lastOfEachRow());
      var verification = steps.run("verify", this::verify);
      return new ChaosResult(
          exactlyOnce,
          faults,
          Duration.ofNanos(end - begun),
          cells.acknowledged(),
          cells.conflicts(),
          lost,
          longest(visibility, begun),
          log.longest(),
          broken,
          verification);
    }
  }

  private void expect(
      Visibility visibility, LogWatch log, UUID row, long ref, RecordMetadata place) {
    if (acknowledged.incrementAndGet() % TIMED == 0) {
      visibility.expect(shards.of(row), place.partition(), place.offset());
      log.expect(row, ref);
    }
  }

  private void strike(Planned planned, Recovery recovery, long begun) throws Exception {
    var kind = planned.kind();
    int number = faults.size() + broken.size() + 1;
    Thread.sleep(planned.pause().toMillis());
    var fault = Fault.of(planned, victims, Steps.silent());
    var at = since(begun);
    try {
      var struck =
          steps.run(
              "%d %s: %s".formatted(number, kind.label(), fault.victim()),
              step -> strike(planned, fault, number, at, recovery, step));
      faults.add(struck);
    } catch (NotRecoveredException | IOException | SQLException | RuntimeException e) {
      broken.add("%d %s of %s: %s".formatted(number, kind.label(), fault.victim(), e.getMessage()));
    }
    victims.failed().forEach(trace -> broken.add("after fault %d, %s".formatted(number, trace)));
  }

  private Struck strike(
      Planned planned, Fault fault, int number, Duration at, Recovery recovery, Step step)
      throws Exception {
    long blow = System.nanoTime();
    fault.blow().run();
    Thread.sleep(planned.hold().toMillis());
    long command = System.nanoTime();
    step.detail("mending");
    fault.mend().run();
    long back = System.nanoTime();
    var since =
        switch (planned.kind().clock()) {
          case BLOW -> blow;
          case COMMAND -> command;
          case RETURN -> back;
        };
    step.detail("recovering");
    var recovered = recovery.await(since, PATIENCE, step::detail);
    fault.after().run();
    recovery.await(System.nanoTime(), PATIENCE, step::detail);
    if (planned.kind() == FaultKind.MASTER_LOST) {
      step.detail("buffers are emptied");
      awaitOlderCopiesGone();
    }
    step.result(
        String.format(
            Locale.ROOT,
            "%d %s: %s, recovered %.1f s after %s",
            number,
            planned.kind().label(),
            fault.victim(),
            recovered.toMillis() / 1e3,
            planned.kind().clock()));
    return new Struck(
        number, planned.kind(), fault.victim(), at, Duration.ofNanos(back - blow), recovered);
  }

  /** The next server may be lost only when no cell depends on what was left of the last one. */
  private void awaitOlderCopiesGone() throws InterruptedException, NotRecoveredException {
    var youngest = tables.youngestCopies();
    if (!Waiting.within(PATIENCE, LOOK, () -> tables.areGone(youngest))) {
      throw new NotRecoveredException("the buffers keep copies that are older than three minutes");
    }
  }

  private Void heal() {
    victims.heal();
    return null;
  }

  private List<Hop> quiet(Step step) throws Exception {
    var deployment = stack.deployment();
    try (var pools = new Pools(deployment.credentials());
        var pipeline = new Pipeline(deployment, pools)) {
      return new Quiescence(pipeline)
          .await(
              PATIENCE,
              hops ->
                  step.detail(
                      hops.stream().mapToLong(Hop::behind).sum() + " records on their way"));
    }
  }

  private Verification verify(Step step) throws Exception {
    Deployment deployment = stack.deployment();
    long partitions = deployment.shards().partitions();
    var verification = new Verifier(deployment).run(done -> step.progress(done, partitions));
    step.result(verification.passed() ? "verified" : "not verified");
    return verification;
  }

  /** Of each row the ref_keys are 1, 2, 3 …, so what is missing can be counted. */
  private long lost(Map<UUID, Long> lastOfEachRow) throws SQLException {
    var rows = tables.rows(lastOfEachRow.keySet());
    long lost = 0;
    for (var row : lastOfEachRow.entrySet()) {
      var found = rows.getOrDefault(row.getKey(), new MasterTables.Row(0, 0));
      lost += Math.max(0, row.getValue() - found.count());
    }
    return lost;
  }

  private Duration longest(Visibility visibility, long begun) {
    long now = System.nanoTime();
    return victims.topology().clusters().stream()
        .map(cluster -> visibility.between(cluster.name(), begun, now).worst())
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }
}
