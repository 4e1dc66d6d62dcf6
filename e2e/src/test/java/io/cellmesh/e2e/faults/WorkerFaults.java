package io.cellmesh.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.devstack.ConnectWorker;
import java.time.Duration;
import java.util.Random;

/** A Connect worker dies, or sleeps while others take over from it. */
final class WorkerFaults {
  private static final Duration TAKEOVER = Duration.ofSeconds(60);

  /** Longer than the sink's session with its group, shorter than its sessions with MySQL. */
  private static final Duration SESSION = Duration.ofSeconds(12);

  private static final String[] ALL = {"c1", "c2", "c3"};

  private final FaultStack stack;
  private final Figures figures;

  WorkerFaults(FaultStack stack, Figures figures) {
    this.stack = stack;
    this.figures = figures;
  }

  /** At random points: while it writes, while it takes over, while it starts to. */
  void killedAgainAndAgain() throws Exception {
    var random = new Random(Figures.seed());
    try (var run = Run.begin(stack, "worker killed " + figures.workerKills() + " times")) {
      long begun = System.nanoTime();
      for (int kill = 0; kill < figures.workerKills(); kill++) {
        var worker = stack.workers().get(random.nextInt(2));
        worker.kill();
        run.flow(Duration.ofMillis(random.nextInt(2_000)));
        stack.bringBack(worker);
        // Now and then the next one comes before its tasks have found their feet.
        if (random.nextInt(3) > 0) {
          run.awaitMoving(TAKEOVER);
        }
        run.flow(Duration.ofMillis(random.nextInt(3_000)));
      }
      for (var cluster : ALL) {
        run.report("%s meanwhile: %s", cluster, run.since(cluster, begun));
      }
      run.settle(TAKEOVER);
    }
  }

  /** Woken when its sessions with Kafka are over and those with MySQL still hold its locks. */
  void stoppedInATransaction() throws Exception {
    try (var run = Run.begin(stack, "zombie with locks")) {
      long stopped = System.nanoTime();
      var zombie = stopInATransaction(run);
      run.flow(SESSION.minusNanos(System.nanoTime() - stopped));
      var primary = new Sessions(stack.master("c1"));
      assertThat(primary.restingTransactions()).as("its open transactions").isPositive();
      wake(zombie, run);
    }
  }

  /** Woken when another has taken over and MySQL has ended its sessions. */
  void stoppedUntilReplaced() throws Exception {
    try (var run = Run.begin(stack, "zombie without locks")) {
      var zombie = stopInATransaction(run);
      var primary = new Sessions(stack.master("c1"));
      run.report("others took over after %s", Report.text(run.awaitCaughtUp(TAKEOVER, ALL)));
      await("its sessions ended")
          .atMost(TAKEOVER)
          .pollInterval(Sessions.POLL)
          .until(() -> primary.restingTransactions() == 0);
      wake(zombie, run);
    }
  }

  /**
   * Stops a worker inside a transaction for certain: it waits for the lock of positions, and gets
   * it when it can't use it any more.
   */
  private ConnectWorker stopInATransaction(Run run) throws Exception {
    var zombie = stack.workerOf(0);
    var primary = new Sessions(stack.master("c1"));
    primary.whileHolding(
        "SELECT * FROM trips_meta.position FOR UPDATE",
        () -> {
          await()
              .atMost(TAKEOVER)
              .pollInterval(Sessions.POLL)
              .until(() -> primary.transactionsInLockWait() >= 2);
          zombie.pause();
        });
    await("a transaction that nobody ends")
        .atMost(SESSION)
        .pollInterval(Sessions.POLL)
        .until(() -> primary.restingTransactions() > 0);
    return zombie;
  }

  private void wake(ConnectWorker zombie, Run run) throws Exception {
    long woken = System.nanoTime();
    zombie.resume();
    run.awaitMoving(TAKEOVER);
    run.report("caught up %s after it woke", Report.text(run.awaitCaughtUp(TAKEOVER, ALL)));
    for (var cluster : ALL) {
      run.report("%s since it woke: %s", cluster, run.since(cluster, woken));
    }
    assertThat(zombie.isAlive()).isTrue();
    run.settle(TAKEOVER);
  }
}
