package io.cellmesh.devstack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Looks every few seconds how much memory the children take, or more seldom where that is much
 * work: the kernel looks at each of their pages.
 */
final class MemorySampler implements AutoCloseable {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Pauses are so many times as long as a look takes, at least: a hundredth of a processor. */
  private static final int PART = 100;

  private final Supplier<List<Child>> children;
  private final AtomicLong peak = new AtomicLong();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            var thread = new Thread(task, "devstack-memory");
            thread.setDaemon(true);
            return thread;
          });

  MemorySampler(Supplier<List<Child>> children) {
    this.children = children;
  }

  void start() {
    timer.execute(this::look);
  }

  private void look() {
    long begun = System.nanoTime();
    report();
    long pause = Math.max(PAUSE_NANOS, PART * (System.nanoTime() - begun));
    timer.schedule(this::look, pause, TimeUnit.NANOSECONDS);
  }

  MemoryReport report() {
    var now = new TreeMap<String, Long>();
    for (var child : children.get()) {
      child.handle().ifPresent(h -> now.merge(child.kind(), kibibytes(h.pid()), Long::sum));
    }
    long highest = peak.accumulateAndGet(MemoryReport.sum(now), Math::max);
    return new MemoryReport(now, highest);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  /** 0 for a process that is gone. */
  static long kibibytes(long pid) {
    var rollup = Path.of("/proc", Long.toString(pid), "smaps_rollup");
    try {
      return Files.isReadable(rollup) ? pss(Files.readAllLines(rollup)) : rss(pid);
    } catch (IOException e) {
      return 0;
    }
  }

  /** The sum that smaps_rollup gives, in KiB. */
  static long pss(List<String> rollup) {
    return rollup.stream()
        .filter(line -> line.startsWith("Pss:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }

  private static long rss(long pid) throws IOException {
    var ps = new ProcessBuilder("ps", "-o", "rss=", "-p", Long.toString(pid)).start();
    var text = new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }
}
