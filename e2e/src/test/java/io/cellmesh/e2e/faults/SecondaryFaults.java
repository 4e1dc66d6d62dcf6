package io.cellmesh.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Random;

/** Masters die that hold the copies of others. */
final class SecondaryFaults {
  private static final Duration BACK = Duration.ofSeconds(60);

  /** A lost worker's session and the rest that its tasks are given. */
  private static final Duration TAKEOVER = Duration.ofSeconds(16);

  private final FaultStack stack;
  private final Figures figures;

  SecondaryFaults(FaultStack stack, Figures figures) {
    this.stack = stack;
    this.figures = figures;
  }

  /** While a batch's copies are being written into it: others are drawn. */
  void killedInMidBatch() throws Exception {
    var random = new Random(Figures.seed());
    try (var run = Run.begin(stack, "secondary killed " + figures.secondaryKills() + " times")) {
      for (int kill = 0; kill < figures.secondaryKills(); kill++) {
        var secondary = stack.masters().get(random.nextInt(3));
        var sessions = new Sessions(secondary);
        sessions.whileHolding(
            "LOCK TABLES trips_meta.buffer READ",
            () -> {
              await()
                  .atMost(BACK)
                  .pollInterval(Duration.ofMillis(20))
                  .until(() -> sessions.waitingForTables() > 0);
              secondary.kill();
            });
        run.flow(Duration.ofMillis(500 + random.nextInt(2_000)));
        stack.bringBack(secondary);
        run.awaitMoving(BACK);
      }
      run.settle(BACK);
    }
  }

  /** Nothing of its cells is secured, so nothing may be committed; and nothing is lost. */
  void allDown() throws Exception {
    try (var run = Run.begin(stack, "all secondaries of c1 down")) {
      stack.master("c2").kill();
      stack.master("c3").kill();
      // What was secured before is committed within this time.
      run.flow(Duration.ofSeconds(5));
      var ingest = new Ingest(stack);
      var committed = ingest.committed();
      long acknowledged = run.load().acknowledged();
      run.flow(figures.secondariesDown());
      run.report(
          "%d cells acknowledged meanwhile, no offset committed",
          run.load().acknowledged() - acknowledged);
      assertThat(ingest.committed()).as("committed offsets").isEqualTo(committed);
      stack.bringBack(stack.master("c2"));
      stack.bringBack(stack.master("c3"));
      run.report("caught up after %s", Report.text(run.awaitCaughtUp(BACK, "c1", "c2", "c3")));
      run.settle(BACK);
    }
  }

  /**
   * A secondary is lost for good while a primary is down: the primary comes back and gets all of
   * its cells from what is left.
   *
   * <p>A lost master can't be replaced yet, so this one's data comes back at the very end, for the
   * scenarios after this one; nothing is asked of it before.
   */
  void lostWhileAPrimaryIsDown() throws Exception {
    try (var run = Run.begin(stack, "secondary lost while c1 is down")) {
      var primary = stack.master("c1");
      var lost = stack.master("c2");
      primary.kill();
      run.flow(figures.secondariesDown());
      lost.kill();
      run.flow(figures.secondariesDown());
      stack.bringBack(primary);
      run.report("c1 caught up %s after its return", Report.text(run.awaitCaughtUp(BACK, "c1")));
      assertThat(lost.isAlive()).isFalse();
      stack.bringBack(lost);
      run.settle(BACK);
    }
  }

  /**
   * One master dead, one hanging, and the worker gone that knew of their cells. Nothing can be
   * secured then, since the third cluster's cells have no secondary either. Who takes over can ask
   * neither master how far it is.
   */
  void workerKilledMeanwhile() throws Exception {
    try (var run = Run.begin(stack, "worker killed, c1 down, c2 hanging")) {
      var primary = stack.master("c1");
      var secondary = stack.master("c2");
      var worker = stack.workerOf(0);
      primary.kill();
      run.flow(Duration.ofSeconds(3));
      secondary.pause();
      run.flow(Duration.ofSeconds(1));
      worker.kill();
      run.flow(TAKEOVER);
      secondary.resume();
      stack.bringBack(primary);
      stack.bringBack(worker);
      run.report("caught up after %s", Report.text(run.awaitCaughtUp(BACK, "c1", "c2", "c3")));
      run.settle(BACK);
    }
  }
}
