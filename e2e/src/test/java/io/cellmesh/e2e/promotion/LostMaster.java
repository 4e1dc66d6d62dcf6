package io.cellmesh.e2e.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Figures;
import io.cellmesh.e2e.faults.Report;
import io.cellmesh.e2e.faults.Run;
import io.cellmesh.e2e.log.WholeLog;
import io.cellmesh.operations.promotion.Stage;
import java.time.Duration;

/** The master dies for good. */
final class LostMaster {
  private static final Duration PROMISED = Duration.ofSeconds(30);
  private static final Duration BACK = Duration.ofSeconds(60);
  private static final Duration SETTLED = Duration.ofSeconds(60);

  private final FaultStack stack;

  LostMaster(FaultStack stack) {
    this.stack = stack;
  }

  /** The minion lacks its last transactions; then the new master gets a minion of its own. */
  void withTransactionsOfItsOwn() throws Exception {
    var c1 = new Roles(stack, "c1");
    var lost = c1.master();
    var successor = c1.minion(0);
    try (var run = Run.begin(stack, "master lost with transactions of its own")) {
      successor.execute("STOP REPLICA");
      run.awaitMoving(BACK);
      run.flow(Duration.ofSeconds(1));
      lost.kill();
      run.flow(Duration.ofSeconds(2));
      long begun = System.nanoTime();
      var said = c1.promote(successor);
      var promoted = since(begun);
      run.awaitCaughtUp(BACK, "c1");
      run.report("%s", said.err());
      run.report(
          "promoted after %s, caught up %s after the command",
          Report.text(promoted), Report.text(since(begun)));
      if (Figures.isFull()) {
        assertThat(since(begun)).isLessThan(PROMISED);
      }
      assertThat(said.out()).contains("epoch 2", "no minion", "cellmesh minion add --cluster c1");
      assertThat(copies()).as("copies that wait for a minion").isPositive();
      begun = System.nanoTime();
      c1.addMinion();
      run.report("minion added after %s", Report.text(since(begun)));
      run.settle(SETTLED);
    }
    lost.start();
    lost.awaitReady();
    try {
      long own =
          WholeLog.requireOtherIds(
              stack.topology(), stack.topology().cluster("c1"), lost, successor);
      assertThat(own).as("rows that only the lost master has").isPositive();
      Report.line("%d ids of the lost master stand for nothing else", own);
    } finally {
      lost.kill();
    }
    Report.line("log and tables have the same %d cells", WholeLog.requireTables(stack));
  }

  /** The command dies at each of its stages, and is given once more. */
  void promotedInPieces() throws Exception {
    var c2 = new Roles(stack, "c2");
    var lost = c2.master();
    var successor = c2.minion(0);
    try (var run = Run.begin(stack, "promotion killed at each stage")) {
      lost.kill();
      run.flow(Duration.ofSeconds(1));
      for (var stage : Stage.values()) {
        killedAt(stage, c2, successor);
      }
      c2.promote(successor);
      assertThat(c2.epoch()).isEqualTo(2);
      run.awaitCaughtUp(BACK, "c2");
      c2.addMinion();
      run.settle(SETTLED);
    }
    WholeLog.requireTables(stack);
  }

  private static void killedAt(Stage last, Roles c2, MySqlServer successor) throws Exception {
    try (var promotion = c2.promotion(successor)) {
      var plan = promotion.plan();
      assertThatThrownBy(
              () ->
                  promotion.run(
                      plan,
                      Command.silent().steps(),
                      stage -> {
                        if (stage == last) {
                          throw new Killed();
                        }
                      }))
          .isInstanceOf(Killed.class);
    }
  }

  private long copies() {
    return stack.clusters().stream()
        .mapToLong(
            cluster ->
                Long.parseLong(
                    cluster
                        .master()
                        .query(
                            "SELECT COUNT(*) FROM trips_meta.buffer WHERE primary_cluster = 'c1'")))
        .sum();
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  /** What no code of the command catches, as a SIGKILL is. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }
}
