package io.cellmesh.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Tells how much memory another JVM uses. */
final class JvmMemory {
  private static final Pattern GENERATION =
      Pattern.compile("generation\\s+total \\d+K, used (\\d+)K");

  private final long pid;
  private final Jcmd jcmd;

  JvmMemory(long pid) {
    this.pid = pid;
    this.jcmd = new Jcmd(pid);
  }

  /** Collects garbage and says how many bytes of the heap are in use after it. */
  long heapAfterGc() {
    jcmd.run("GC.run");
    return heap(jcmd.run("GC.heap_info"));
  }

  /** Sums the generations of the serial collector. */
  static long heap(String info) {
    var generations = GENERATION.matcher(info);
    long kibibytes = 0;
    while (generations.find()) {
      kibibytes += Long.parseLong(generations.group(1));
    }
    return kibibytes << 10;
  }

  /** Resident memory in bytes; 0 when nobody knows. */
  long resident() {
    var status = Path.of("/proc", Long.toString(pid), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    try (var lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(Machine::kibibytes)
          .map(kibibytes -> kibibytes << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
