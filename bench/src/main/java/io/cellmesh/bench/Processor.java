package io.cellmesh.bench;

import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Who used the processors between two moments. */
final class Processor {
  private static final Path STAT = Path.of("/proc/stat");

  /** Linux counts in hundredths of a second, whatever the kernel's own tick is. */
  private static final double TICKS = 100;

  private static final Pattern COMPILER = Pattern.compile("C[12] Compiler");
  private static final double QUIET = 0.08;

  /**
   * What a share of the processors is taken of: so long that the counters' hundredths don't show,
   * and that the pause between two flushes is not taken for quiet.
   */
  private static final Duration SAMPLE = Duration.ofSeconds(1);

  private static final int PATIENCE_SECONDS = 30;

  /** Process ids by name. */
  private final Map<String, Long> processes;

  private final long worker;
  private final Map<String, ThreadUse> threads;
  private final Map<String, Double> before;
  private final double busyBefore;
  private final double stolenBefore;
  private final long start;

  private Processor(Map<String, Long> processes, long worker) {
    this.processes = processes;
    this.worker = worker;
    this.threads = Threads.of(worker);
    this.before = cpu(processes);
    this.busyBefore = busy();
    this.stolenBefore = stolen();
    this.start = System.nanoTime();
  }

  /** Everything of a stack, and what its worker's JVM compiles. */
  static Processor watch(DevStack stack) {
    var processes = new LinkedHashMap<String, Long>();
    stack.children().forEach(child -> processes.put(child.name(), child.pid()));
    return new Processor(besideThis(processes), stack.worker(Servers.DATACENTER).pid());
  }

  /** A server alone. */
  static Processor watch(MySqlServer server) {
    return new Processor(besideThis(Map.of(server.name(), server.pid())), server.pid());
  }

  /**
   * This process, which is measured itself, beside another.
   *
   * @param name this one's
   */
  static Processor watchThis(String name, String other, long pid) {
    long own = ProcessHandle.current().pid();
    var processes = new LinkedHashMap<String, Long>();
    processes.put(name, own);
    processes.put(other, pid);
    return new Processor(processes, own);
  }

  private static Map<String, Long> besideThis(Map<String, Long> processes) {
    var all = new LinkedHashMap<>(processes);
    all.put("bench", ProcessHandle.current().pid());
    return all;
  }

  /** What was used for so many cells since {@link #watch}. */
  Round round(long cells) {
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Round(
        cells, seconds, cells / seconds, used(), compiling(), others(), stolen() - stolenBefore);
  }

  /**
   * The same.
   *
   * @param steady cells a second in the middle
   */
  Round round(long cells, double steady) {
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Round(
        cells, seconds, steady, used(), compiling(), others(), stolen() - stolenBefore);
  }

  /** Seconds by process; {@code bench} is this one. */
  private Map<String, Double> used() {
    var used = cpu(processes);
    used.replaceAll((name, seconds) -> seconds - before.getOrDefault(name, 0.0));
    return used;
  }

  private double compiling() {
    return Threads.between(threads, Threads.of(worker)).stream()
        .filter(thread -> COMPILER.matcher(thread.name()).lookingAt())
        .mapToDouble(ThreadUse::seconds)
        .sum();
  }

  /** Seconds that went to whatever is not ours; negative when nobody knows. */
  private double others() {
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
    awaitQuiet(PATIENCE_SECONDS);
  }

  /**
   * The same.
   *
   * @param patience most seconds to wait
   */
  static void awaitQuiet(int patience) throws InterruptedException {
    int processors = Runtime.getRuntime().availableProcessors();
    for (int sample = 0; sample < patience; sample++) {
      double busy = busy();
      Thread.sleep(SAMPLE.toMillis());
      if (busy < 0 ? sample >= 2 : (busy() - busy) / processors < QUIET) {
        return;
      }
    }
  }

  private static Map<String, Double> cpu(Map<String, Long> processes) {
    var cpu = new LinkedHashMap<String, Double>();
    processes.forEach((name, pid) -> cpu.put(name, seconds(pid)));
    return cpu;
  }

  /** Seconds that a process has had since its start; 0 if it has ended. */
  static double seconds(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .map(Duration::toMillis)
        .map(millis -> millis / 1000.0)
        .orElse(0.0);
  }

  /** Seconds that all processors have worked since the system's start; negative if it won't say. */
  private static double busy() {
    return stat().map(Processor::busy).orElse(-1.0);
  }

  /** Seconds that a hypervisor has kept from them while there was work; 0 if nobody says. */
  private static double stolen() {
    return stat().map(Processor::stolen).orElse(0.0);
  }

  private static Optional<String> stat() {
    if (!Files.isReadable(STAT)) {
      return Optional.empty();
    }
    try (var lines = Files.lines(STAT)) {
      return lines.findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * What the first line of {@code /proc/stat} says: user, nice, system, idle, iowait, irq, softirq,
   * steal, …
   */
  static double busy(String line) {
    return seconds(line, 1, 2, 3, 6, 7);
  }

  static double stolen(String line) {
    return seconds(line, 8);
  }

  private static double seconds(String line, int... places) {
    var fields = line.trim().split("\\s+");
    double ticks = 0;
    for (int place : places) {
      if (place < fields.length) {
        ticks += Long.parseLong(fields[place]);
      }
    }
    return ticks / TICKS;
  }
}
