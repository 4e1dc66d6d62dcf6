package io.cellmesh.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/** Kafka's own accidents: the topic or the offsets are not what they were. */
public final class IngestFaults {
  private static final Duration BACK = Duration.ofSeconds(60);

  /** Records of a partition; more than come in while the sink is stopped. */
  private static final long LONG = 1_000;

  private final FaultStack stack;
  private final Ingest ingest;

  /** Has records {@linkplain FaultStack#retain retained} from now on. */
  public IngestFaults(FaultStack stack) {
    this.stack = stack;
    this.ingest = new Ingest(stack);
    stack.retain();
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

  /** Cells are lost that nobody has secured: the sink says so and goes on when it is told to. */
  public void expiredWhileTheSinkIsStopped() throws Exception {
    try (var run = Run.begin(stack, "expired while the sink is stopped")) {
      ingest.stopSink();
      run.flow(Duration.ofSeconds(3));
      var secured = ingest.committed();
      var lost = new TreeMap<>(ingest.ends());
      lost.keySet().removeIf(partition -> partition >= 4);
      ingest.expire(lost);
      ingest.resumeSink();
      assertNoticed(
          run,
          lost.entrySet().stream()
              .map(
                  entry ->
                      "trips.cells-%d no longer has the records from %d up to %d"
                          .formatted(entry.getKey(), secured.get(entry.getKey()), entry.getValue()))
              .toList());
      accept(run);
      run.settleWithout(
          BACK,
          lost.entrySet().stream()
              .mapToLong(entry -> entry.getValue() - secured.get(entry.getKey()))
              .sum());
    }
  }

  /** Its offsets mean something else from then on, so the sink asks before it goes on. */
  void recreated() throws Exception {
    if (ingest.ends().values().stream().anyMatch(end -> end < LONG)) {
      longTopic();
    }
    ingest.stopSink();
    ingest.recreate();
    try (var run = Run.beginWithoutSink(stack, "recreated")) {
      ingest.resumeSink();
      assertNoticed(run, List.of("is not the topic that was read before"));
      assertThat(ingest.ends().values())
          .as("records when it was noticed: fewer than the positions say")
          .allMatch(end -> end < LONG);
      accept(run);
      run.settle(BACK);
    }
  }

  /** So that the recreated one is shorter than the positions, which is harder to notice. */
  private void longTopic() throws Exception {
    try (var run = Run.begin(stack, "before it is recreated")) {
      run.flow(Duration.ofSeconds(10));
      run.settle(BACK);
    }
  }

  /** The sink fails and says why, and what to do. */
  private void assertNoticed(Run run, List<String> reasons) {
    var failure = ingest.awaitFailure();
    run.report(
        "%s", failure.lines().filter(line -> line.contains("trips.")).findFirst().orElse(failure));
    assertThat(failure)
        .containsAnyOf(reasons.toArray(String[]::new))
        .contains("trips.cells-", "cellmesh ingest accept --topic trips.cells");
  }

  /** What the sink said to do helps. */
  private void accept(Run run) {
    var check = stack.command("ingest", "check");
    assertThat(check.exit()).as(check.out() + check.err()).isEqualTo(1);
    run.report("%s", check.out());
    var undecided = stack.command("ingest", "accept", "--topic", "trips.cells");
    assertThat(undecided.exit()).as(undecided.out() + undecided.err()).isEqualTo(1);
    var accepted = stack.command("ingest", "accept", "--topic", "trips.cells", "--yes");
    assertThat(accepted.exit()).as(accepted.out() + accepted.err()).isZero();
    ingest.awaitRunning();
  }
}
