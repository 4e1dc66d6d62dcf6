package io.cellmesh.e2e.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Figures;
import io.cellmesh.e2e.faults.Report;
import io.cellmesh.e2e.faults.Run;
import io.cellmesh.e2e.log.WholeLog;
import java.time.Duration;

/** The promoted server stands in the failure domain of another primary's master. */
final class SharedDomain {
  private static final Duration BACK = Duration.ofSeconds(60);
  private static final Duration SETTLED = Duration.ofSeconds(60);

  private final FaultStack stack;

  SharedDomain(FaultStack stack) {
    this.stack = stack;
  }

  /**
   * Neither of the two buffers the other's cells any more: what is there already goes, and when
   * their domain fails as a whole the third cluster has all that the minions lack. One of the two
   * masters is lost for good, in the full figures both.
   */
  void thatFails() throws Exception {
    var c1 = new Roles(stack, "c1");
    var c2 = new Roles(stack, "c2");
    var lost = c1.master();
    var otherMaster = c2.master();
    var firstMinion = c1.minion(0);
    var otherMinion = c2.minion(0);
    c1.addMinion("--domain", otherMaster.server().domain());
    var beside = c1.minion(1);
    try (var run = Run.begin(stack, "promoted beside another master")) {
      otherMinion.execute("STOP REPLICA");
      firstMinion.execute("STOP REPLICA");
      run.awaitMoving(BACK);
      run.flow(Duration.ofSeconds(1));
      lost.kill();
      var said = c1.promote(beside);
      run.report("%s", said.out());
      assertThat(said.out())
          .contains("only c3 can take copies of c1", "only c3 can take copies of c2");
      run.awaitCaughtUp(BACK, "c1", "c2", "c3");
      long kept = copies("c2", "c1");
      long last = lastCopy("c2", "c1");
      assertThat(kept).as("copies of c2 that c1 had before").isPositive();
      run.flow(Duration.ofSeconds(1));
      assertThat(copies("c2", "c1"))
          .as("they stay as long as c2's minion lacks them")
          .isEqualTo(kept);
      assertThat(lastCopy("c2", "c1")).as("and get no more").isEqualTo(last);
      otherMinion.execute("START REPLICA");
      await("what stands in the shared domain gone")
          .atMost(BACK)
          .untilAsserted(() -> assertThat(copies("c2", "c1") + copies("c1", "c2")).isZero());

      otherMinion.execute("STOP REPLICA");
      firstMinion.execute("STOP REPLICA");
      run.awaitMoving(BACK);
      run.flow(Duration.ofSeconds(1));
      assertThat(copies("c2", "c1") + copies("c1", "c2")).isZero();
      run.report(
          "%d copies of c2 went from c1; c3 has %d cells that c1's and %d that c2's minion lacks",
          kept, cells("c1"), cells("c2"));
      beside.kill();
      otherMaster.kill();
      long begun = System.nanoTime();
      if (Figures.isFull()) {
        c2.promote(otherMinion);
      } else {
        stack.bringBack(otherMaster);
        otherMinion.execute("START REPLICA");
      }
      c1.promote(firstMinion);
      run.awaitCaughtUp(BACK, "c1", "c2", "c3");
      run.report(
          "the domain failed; caught up after %s",
          Report.text(Duration.ofNanos(System.nanoTime() - begun)));
      c1.addMinion();
      if (Figures.isFull()) {
        c2.addMinion();
      }
      run.settle(SETTLED);
    }
    WholeLog.requireTables(stack);
  }

  /** Of one primary in the buffer of another cluster. */
  private long copies(String primary, String secondary) {
    return count("COUNT(*)", primary, secondary);
  }

  private long lastCopy(String primary, String secondary) {
    return count("COALESCE(MAX(id), 0)", primary, secondary);
  }

  private long cells(String primary) {
    return count("COALESCE(SUM(cells), 0)", primary, "c3");
  }

  private long count(String what, String primary, String secondary) {
    return Long.parseLong(
        stack
            .master(secondary)
            .query(
                "SELECT %s FROM trips_meta.buffer WHERE primary_cluster = '%s'"
                    .formatted(what, primary)));
  }
}
