package io.cellmesh.bench;

import io.cellmesh.devstack.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Who used the processors between two moments. */
final class Processor {
  private static final Path STAT = Path.of("/proc/stat");

  /** Linux counts in hundredths of a second, whatever the kernel's own tick is. */
  private static final double TICKS = 100;

  private static final double QUIET = 0.08;
  private static final int PATIENCE_SECONDS = 30;

  private final Collection<Child> children;
  private final Map<String, Double> before;
  private final double busyBefore;

  private Processor(Collection<Child> children) {
    this.children = children;
    this.before = cpu(children);
    this.busyBefore = busy();
  }

  static Processor watch(Collection<Child> children) {
    return new Processor(children);
  }

  /** Seconds since {@link #watch}, by process; {@code bench} is this one. */
  Map<String, Double> used() {
    var used = cpu(children);
    used.replaceAll((name, seconds) -> seconds - before.getOrDefault(name, 0.0));
    return used;
  }

  /** Seconds that went to whatever is not ours; negative when nobody knows. */
  double others() {
    double busy = busy();
    if (busy < 0) {
      return -1;
    }
    double ours = used().values().stream().mapToDouble(Double::doubleValue).sum();
    return Math.max(0, busy - busyBefore - ours);
  }

  /**
   * Waits until the machine has next to nothing to do, so that what was written before is not
   * flushed at the expense of what is measured next; at most {@value #PATIENCE_SECONDS} s.
   */
  static void awaitQuiet() throws InterruptedException {
    int processors = Runtime.getRuntime().availableProcessors();
    for (int second = 0; second < PATIENCE_SECONDS; second++) {
      double busy = busy();
      Thread.sleep(1000);
      if (busy < 0 ? second >= 2 : (busy() - busy) / processors < QUIET) {
        return;
      }
    }
  }

  private static Map<String, Double> cpu(Collection<Child> children) {
    var cpu = new LinkedHashMap<String, Double>();
    children.forEach(child -> cpu.put(child.name(), seconds(child.pid())));
    cpu.put("bench", seconds(ProcessHandle.current().pid()));
    return cpu;
  }

  private static double seconds(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .map(Duration::toMillis)
        .map(millis -> millis / 1000.0)
        .orElse(0.0);
  }

  /** Seconds that all processors have worked since the system's start; negative if it won't say. */
  private static double busy() {
    if (!Files.isReadable(STAT)) {
      return -1;
    }
    try (var lines = Files.lines(STAT)) {
      return busy(lines.findFirst().orElse("cpu"));
    } catch (IOException e) {
      return -1;
    }
  }

  /** What the first line of {@code /proc/stat} says: user, nice, system, idle, iowait, … */
  static double busy(String line) {
    var fields = line.trim().split("\\s+");
    double ticks = 0;
    for (int i = 1; i < fields.length && i <= 8; i++) {
      if (i != 4 && i != 5) {
        ticks += Long.parseLong(fields[i]);
      }
    }
    return ticks / TICKS;
  }
}
