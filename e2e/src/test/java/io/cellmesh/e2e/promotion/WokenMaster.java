package io.cellmesh.e2e.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Report;
import io.cellmesh.e2e.faults.Run;
import io.cellmesh.e2e.log.WholeLog;
import io.cellmesh.operations.promotion.Stage;
import java.time.Duration;

/** The old master is not dead: it answers nobody for a while, and then takes writes as before. */
final class WokenMaster {
  private static final Duration TAKEOVER = Duration.ofSeconds(60);
  private static final Duration SETTLED = Duration.ofSeconds(60);

  private final FaultStack stack;

  WokenMaster(FaultStack stack) {
    this.stack = stack;
  }

  /** A worker sleeps as long, and tasks are given the map of that time once more. */
  void withAWorker() throws Exception {
    var c1 = new Roles(stack, "c1");
    var old = c1.master();
    var successor = c1.minion(0);
    var refusal = "the topology says epoch %d of cluster c1".formatted(c1.epoch());
    var zombie = stack.otherThan(stack.askedWorker());
    try (var run = Run.begin(stack, "old master woken")) {
      var oldMap = stack.connect().config(FaultStack.SINK);
      zombie.pause();
      run.report("taken over after %s", Report.text(run.awaitCaughtUp(TAKEOVER, "c1", "c2", "c3")));
      old.pause();
      run.flow(Duration.ofSeconds(1));
      c1.promote(successor);
      old.resume();
      zombie.resume();
      assertThat(old.query("SELECT @@GLOBAL.read_only")).as("nobody has fenced it").isEqualTo("0");
      run.awaitCaughtUp(TAKEOVER, "c1", "c2", "c3");
      var newMap = stack.connect().config(FaultStack.SINK);
      long before = stack.logged(refusal);
      stack.connect().put(FaultStack.SINK, oldMap);
      await("the sink with the old map refused")
          .atMost(TAKEOVER)
          .ignoreExceptions()
          .until(() -> failed() && stack.logged(refusal) > before);
      stack.connect().put(FaultStack.SINK, newMap);
      run.awaitCaughtUp(TAKEOVER, "c1", "c2", "c3");
      c1.addMinion("--server", Roles.address(old), "--overwrite");
      assertThat(old.query("SELECT @@GLOBAL.super_read_only")).isEqualTo("1");
      run.settle(SETTLED);
    }
    WholeLog.requireTables(stack);
  }

  /** It wakes in the midst of the promotion, when the minions take nothing from it any more. */
  void whileItIsReplaced() throws Exception {
    var c1 = new Roles(stack, "c1");
    var old = c1.master();
    var successor = c1.minion(0);
    try (var run = Run.begin(stack, "old master woken in the midst")) {
      old.pause();
      run.flow(Duration.ofSeconds(1));
      try (var promotion = c1.promotion(successor)) {
        promotion.run(
            promotion.plan(),
            Command.silent().steps(),
            stage -> {
              if (stage == Stage.CUT_OFF) {
                old.resume();
              }
            });
        run.report("%s", promotion.remarks());
        assertThat(promotion.remarks())
            .anyMatch(remark -> remark.contains("answers after all: it was fenced"));
      }
      assertThat(old.query("SELECT @@GLOBAL.super_read_only")).isEqualTo("1");
      run.awaitCaughtUp(TAKEOVER, "c1", "c2", "c3");
      if (stack.cluster("c1").minions().isEmpty()) {
        c1.addMinion("--server", Roles.address(old), "--overwrite");
      }
      run.settle(SETTLED);
    }
    WholeLog.requireTables(stack);
  }

  private boolean failed() {
    return stack.connect().status(FaultStack.SINK).flatMap(ConnectorStatus::failure).isPresent();
  }
}
