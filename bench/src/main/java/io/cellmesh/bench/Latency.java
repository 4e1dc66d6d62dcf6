package io.cellmesh.bench;

import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.Progress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BinaryOperator;

/**
 * The time from handing a cell to the producer until its row is committed on its master, at a
 * steady rate. Everything is timed by this process's one clock: a cell counts as visible when the
 * answer to the first question that found its partition's position above its offset has arrived, so
 * what is told is too high by up to the time between two questions.
 */
final class Latency {
  /** Usually, a second. */
  static final int RATE = 1000;

  private static final Duration WARM_UP = Duration.ofSeconds(30);
  private static final Duration MEASURED = Duration.ofSeconds(30);
  private static final Duration TAIL = Duration.ofSeconds(30);

  private final OurSink sink;
  private final SinkHarness harness;
  private final Progress progress;
  private final int rate;

  Latency(OurSink sink, SinkHarness harness, Progress progress) {
    this(sink, harness, progress, RATE);
  }

  /**
   * @param rate cells a second
   */
  Latency(OurSink sink, SinkHarness harness, Progress progress, int rate) {
    this.rate = rate;
    this.sink = sink;
    this.harness = harness;
    this.progress = progress;
  }

  /** A cell on its way. */
  private record Sent(int owner, int partition, long offset, long at) {}

  LatencyFigures measure() throws Exception {
    progress.step("ours: latency at %,d cells/s".formatted(rate));
    harness.run();
    var monitors = new ArrayList<PositionMonitor>();
    try {
      for (int owner = 0; owner < OurSink.MASTERS; owner++) {
        monitors.add(PositionMonitor.start(sink, owner));
      }
      produce(WARM_UP);
      var clock = Processor.watch(sink.stack());
      var sent = produce(MEASURED);
      var load = clock.round(sent.size());
      await(sent, monitors);
      return figures(sent, monitors, load);
    } finally {
      monitors.forEach(PositionMonitor::close);
      harness.rest();
    }
  }

  private List<Sent> produce(Duration duration) throws InterruptedException {
    var sent = new ConcurrentLinkedQueue<Sent>();
    long count = rate * duration.toSeconds();
    try (var backlog = new Backlog(sink, 0)) {
      long start = System.nanoTime();
      for (long i = 0; i < count; i++) {
        Pause.until(start + i * 1_000_000_000L / rate);
        var cell = harness.next();
        long at = System.nanoTime();
        backlog.send(
            cell,
            place -> sent.add(new Sent(sink.owner(cell), place.partition(), place.offset(), at)));
      }
      backlog.flush();
    }
    return List.copyOf(sent);
  }

  /** Waits until the monitors have seen the position of each partition above its last cell. */
  private static void await(List<Sent> sent, List<PositionMonitor> monitors)
      throws SQLException, InterruptedException {
    var last = new HashMap<List<Integer>, Sent>();
    sent.forEach(
        s ->
            last.merge(
                List.of(s.owner, s.partition),
                s,
                BinaryOperator.maxBy(Comparator.comparing(Sent::offset))));
    CountWait.atMost(TAIL, Duration.ofMillis(10))
        .until(
            last.size(),
            () ->
                last.values().stream()
                    .filter(s -> monitors.get(s.owner).hasPassed(s.partition, s.offset))
                    .count(),
            seen ->
                new DevStackException(
                    "%d of %d positions were still not above their last cells after %d s"
                        .formatted(last.size() - seen, last.size(), TAIL.toSeconds())));
  }

  private LatencyFigures figures(List<Sent> sent, List<PositionMonitor> monitors, Round load) {
    var nanos =
        sent.stream()
            .mapToLong(s -> monitors.get(s.owner).passed(s.partition, s.offset) - s.at)
            .toArray();
    double poll =
        monitors.stream()
            .mapToDouble(monitor -> Statistics.percentile(monitor.pauses(), 99) / 1e6)
            .max()
            .orElse(0);
    return new LatencyFigures(
        rate,
        nanos.length,
        Statistics.percentile(nanos, 50) / 1e6,
        Statistics.percentile(nanos, 99) / 1e6,
        Statistics.percentile(nanos, 100) / 1e6,
        poll,
        load);
  }
}
