package io.cellmesh.e2e.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Report;
import java.time.Duration;

/** A worker dies right behind the first record of a new connector. */
final class FirstRecord {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final FaultStack stack;

  FirstRecord(FaultStack stack) {
    this.stack = stack;
  }

  /** Before any offset was flushed a new task has nothing to go by but the instance's creation. */
  void lost() throws Exception {
    int attempt = 1;
    // Offsets are flushed every second, so that now and then one is quicker than the kill.
    while (!lost("first" + attempt)) {
      assertThat(++attempt).isLessThan(5);
    }
  }

  private boolean lost(String name) throws Exception {
    try (var instance = OwnInstance.create(stack, name, "c1")) {
      instance.startSource();
      instance.writer().writeToEachShard(1);
      await("the first record")
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> instance.log().first().size() > 0);
      var worker = stack.workerOf(instance.source(), 0);
      worker.kill();
      boolean lost =
          stack.otherThan(worker).client().offsets(instance.source()).path("offsets").isEmpty();
      instance.writer().writeToEachShard(1);
      var rows = EntityRows.of(instance.topology(), instance.storage(), stack.master("c1"));
      await("the log complete")
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(instance.log().first().difference(rows)).isEmpty());
      Report.line(
          "first record lost with its worker: %s, %d cells, all in the log, %d came again",
          lost ? "no offset was stored" : "an offset was stored",
          rows.size(),
          instance.log().repeated());
      stack.bringBack(worker);
      return lost;
    }
  }
}
