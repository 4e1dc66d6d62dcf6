package io.cellmesh.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.stack.chaos.TableDelays;
import java.time.Duration;

/** The master that owns the cells stops answering. */
final class PrimaryFaults {
  private static final Duration BACK = Duration.ofSeconds(60);
  private static final Duration LONGEST_STALL = Duration.ofSeconds(10);
  private static final double KEPT = 0.8;

  private final FaultStack stack;
  private final Figures figures;

  PrimaryFaults(FaultStack stack, Figures figures) {
    this.stack = stack;
    this.figures = figures;
  }

  /** Its cells wait in the buffers, and these are empty within a minute of its return. */
  void killed() throws Exception {
    try (var run = Run.begin(stack, "primary killed")) {
      var master = stack.master("c1");
      long killed = System.nanoTime();
      master.kill();
      run.flow(figures.primaryKilled());
      long waiting = run.tables().cellsFor("c1");
      assertThat(waiting)
          .as("cells of c1 in the buffers")
          .isGreaterThan((long) (figures.primaryKilled().toSeconds() * figures.leastRate() / 4));
      run.report("%d copies of cells of c1 wait", waiting);
      run.report("c2 meanwhile: %s", run.since("c2", killed));
      run.report("c3 meanwhile: %s", run.since("c3", killed));
      stack.bringBack(master);
      long back = System.nanoTime();
      run.report("caught up %s after its return", Report.text(run.awaitCaughtUp(BACK, "c1")));
      run.settle(BACK.minusNanos(System.nanoTime() - back));
    }
  }

  /** It keeps its connections and answers nobody; the cells of the others go on. */
  void stopped() throws Exception {
    try (var run = Run.begin(stack, "primary stopped")) {
      var master = stack.master("c1");
      long acknowledged = run.load().acknowledged();
      long from = System.nanoTime();
      master.pause();
      run.flow(figures.primaryStopped());
      long to = System.nanoTime();
      acknowledged = run.load().acknowledged() - acknowledged;
      master.resume();
      var c2 = run.visibility().between("c2", from, to);
      var c3 = run.visibility().between("c3", from, to);
      run.report("of %d acknowledged: c2 %s; c3 %s", acknowledged, c2, c3);
      run.report("caught up %s after it went on", Report.text(run.awaitCaughtUp(BACK, "c1")));
      run.settle(BACK);
      for (var other : new TableDelays.Passage[] {c2, c3}) {
        assertThat((double) other.passed() / acknowledged).isGreaterThanOrEqualTo(KEPT);
        assertThat(other.stall()).isLessThan(LONGEST_STALL);
      }
    }
  }
}
