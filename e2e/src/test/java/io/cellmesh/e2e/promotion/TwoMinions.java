package io.cellmesh.e2e.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Report;
import io.cellmesh.e2e.faults.Run;
import io.cellmesh.e2e.log.WholeLog;
import java.time.Duration;

/** A cluster with two minions, of which the source reads the first. */
final class TwoMinions {
  private static final Duration BACK = Duration.ofSeconds(60);
  private static final Duration SETTLED = Duration.ofSeconds(60);

  private static final String SIGNED_ON =
      "SELECT COUNT(*) FROM information_schema.processlist WHERE user = '%s'"
          .formatted(Operator.REPLICATION);

  private final FaultStack stack;

  TwoMinions(FaultStack stack) {
    this.stack = stack;
  }

  /**
   * Nothing is lost, so the old master stays as a minion. The person who does this has servers of
   * their own, and few rights on them.
   */
  void handedOver() throws Exception {
    var c3 = new Roles(stack, "c3");
    var operator = Operator.of(stack);
    operator.addMinion("c3");
    var old = c3.master();
    var read = c3.minion(0);
    var successor = c3.minion(1);
    String[] promote = {"promote", "--cluster", "c3", "--to", Roles.address(successor)};
    old.execute(Operator.LOCALLY, Operator.revoke("REPLICATION CLIENT"));
    var refused = operator.run(promote);
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err())
        .as("it is not dead")
        .contains(Roles.address(old), "REPLICATION CLIENT");
    old.execute(Operator.LOCALLY, Operator.grant("REPLICATION CLIENT"));
    try (var run = Run.begin(stack, "handed over to the minion that is not read")) {
      old.execute(Operator.revoke("RELOAD"));
      var failed = operator.run(promote);
      assertThat(failed.exit()).isEqualTo(3);
      assertThat(failed.err()).contains("takes no writes any more", "leaves replication", "RELOAD");
      assertThat(old.query("SELECT @@GLOBAL.read_only")).as("all is as it was").isEqualTo("0");
      old.execute(Operator.grant("RELOAD"));
      long begun = System.nanoTime();
      var done = operator.run(promote);
      assertThat(done.exit()).as(done.out() + done.err()).isZero();
      assertThat(c3.master()).isSameAs(successor);
      run.awaitCaughtUp(BACK, "c3");
      run.report("handed over in %s", Report.text(Duration.ofNanos(System.nanoTime() - begun)));
      assertThat(stack.cluster("c3").minions()).containsExactly(read, old);
      assertThat(old.query("SELECT @@GLOBAL.super_read_only")).isEqualTo("1");
      assertThat(successor.query(SIGNED_ON)).as("the old master follows").isEqualTo("1");
      run.settle(SETTLED);
    }
    WholeLog.requireTables(stack);
  }

  /**
   * A worker that has the map from before a minion went would go on counting on it: it is stopped.
   */
  void removed() throws Exception {
    var c3 = withTwoMinions();
    var gone = c3.minion(1);
    var refusal = "the topology says epoch %d of cluster c3".formatted(c3.epoch());
    try (var run = Run.begin(stack, "minion removed")) {
      var oldMap = stack.connect().config(FaultStack.SINK);
      c3.removeMinion(gone);
      run.awaitCaughtUp(BACK, "c1", "c2", "c3");
      var newMap = stack.connect().config(FaultStack.SINK);
      long before = stack.logged(refusal);
      stack.connect().put(FaultStack.SINK, oldMap);
      await("the sink with the old map refused")
          .atMost(BACK)
          .ignoreExceptions()
          .until(() -> stack.logged(refusal) > before);
      stack.connect().put(FaultStack.SINK, newMap);
      run.awaitCaughtUp(BACK, "c1", "c2", "c3");
      run.settle(SETTLED);
    }
    WholeLog.requireTables(stack);
  }

  /** The one that must not is told which one may. */
  void refused() throws Exception {
    var c3 = withTwoMinions();
    var lost = c3.master();
    var read = c3.minion(0);
    var behind = c3.minion(1);
    try (var run = Run.begin(stack, "a minion that lacks what others have")) {
      behind.execute("STOP REPLICA");
      run.awaitMoving(BACK);
      run.flow(Duration.ofSeconds(1));
      read.kill();
      lost.kill();
      var shown = c3.attempt(behind);
      assertThat(shown.exit()).isEqualTo(1);
      assertThat(shown.err()).contains("whose cells the log has shown");
      read.start();
      read.awaitReady();
      var less = c3.attempt(behind);
      assertThat(less.exit()).isEqualTo(1);
      assertThat(less.err())
          .contains("that " + Roles.address(read) + " has")
          .contains("`cellmesh promote --cluster c3 --to " + Roles.address(read) + "`");
      c3.promote(read);
      run.awaitCaughtUp(BACK, "c3");
      assertThat(stack.cluster("c3").minions()).containsExactly(behind);
      run.settle(SETTLED);
    }
    WholeLog.requireTables(stack);
  }

  private Roles withTwoMinions() {
    var c3 = new Roles(stack, "c3");
    if (stack.cluster("c3").minions().size() == 1) {
      c3.addMinion();
    }
    return c3;
  }
}
