package io.cellmesh.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.TreeMap;

/** Kafka's own accidents: the topic or the offsets are not what they were. */
final class IngestFaults {
  private static final Duration BACK = Duration.ofSeconds(60);

  private final FaultStack stack;
  private final Ingest ingest;

  IngestFaults(FaultStack stack) {
    this.stack = stack;
    this.ingest = new Ingest(stack);
  }

  /** Half of the partitions go back to the beginning, half skip what came meanwhile. */
  void offsetsReset() throws Exception {
    try (var run = Run.begin(stack, "offsets reset")) {
      ingest.stopSink();
      run.flow(Duration.ofSeconds(3));
      var offsets = new TreeMap<Integer, Long>();
      ingest
          .ends()
          .forEach((partition, end) -> offsets.put(partition, partition % 2 == 0 ? 0 : end));
      var committed = ingest.committed();
      ingest.setOffsets(offsets);
      assertThat(ingest.committed()).isEqualTo(offsets).isNotEqualTo(committed);
      ingest.resumeSink();
      run.report("caught up after %s", Report.text(run.awaitCaughtUp(BACK, "c1", "c2", "c3")));
      assertThat(stack.logged("goes on at"))
          .as("a line for each partition that skips")
          .isPositive();
      run.settle(BACK);
    }
  }

  /** What the topic has lost stands in the buffers, for whoever owns the partitions by then. */
  void expiredWhileAPrimaryIsDown() throws Exception {
    try (var run = Run.begin(stack, "expired while c1 is down")) {
      var primary = stack.master("c1");
      primary.kill();
      run.flow(Duration.ofSeconds(4));
      var committed = ingest.committed();
      ingest.expire(committed);
      stack.connect().restart(FaultStack.SINK);
      run.flow(Duration.ofSeconds(4));
      stack.bringBack(primary);
      run.report("caught up after %s", Report.text(run.awaitCaughtUp(BACK, "c1")));
      run.settle(BACK);
    }
  }
}
