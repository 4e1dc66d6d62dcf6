package io.cellmesh.bench;

import io.cellmesh.devstack.DevStackException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM's diagnostic commands, by {@code jcmd}. */
final class Flight {
  private final long pid;
  private final String recording;

  /**
   * @param recording what to call it
   */
  Flight(long pid, String recording) {
    this.pid = pid;
    this.recording = recording;
  }

  /** Begins a recording that samples the running threads every 10 ms. */
  void begin() {
    jcmd("JFR.start", "name=" + recording, "settings=profile");
  }

  /**
   * Begins a recording of nothing but the heap before and after each collection. The plus asks for
   * an event that these settings do not have; without it there is but a warning.
   */
  void beginHeap() {
    jcmd("JFR.start", "name=" + recording, "settings=none", "+jdk.GCHeapSummary#enabled=true");
  }

  /** Leaves what was recorded so far in a file. */
  void dump(Path file) {
    jcmd("JFR.dump", "name=" + recording, "filename=" + file);
  }

  void end() {
    jcmd("JFR.stop", "name=" + recording);
  }

  /** Collects garbage and says how many bytes of the heap are in use after it. */
  long heapAfterGc() {
    jcmd("GC.run");
    return heap(jcmd("GC.heap_info"));
  }

  /** Sums the generations of the serial collector. */
  static long heap(String info) {
    var generations =
        java.util.regex.Pattern.compile("generation\\s+total \\d+K, used (\\d+)K").matcher(info);
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

  private String jcmd(String... words) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    command.add(Long.toString(pid));
    command.addAll(List.of(words));
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(Redirect.PIPE)
              .start();
      process.getOutputStream().close();
      var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new DevStackException("jcmd " + String.join(" ", words) + ": " + text.strip());
      }
      return text;
    } catch (IOException e) {
      throw new DevStackException("jcmd could not be run; is this a JDK?", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DevStackException("interrupted while jcmd ran", e);
    }
  }
}
