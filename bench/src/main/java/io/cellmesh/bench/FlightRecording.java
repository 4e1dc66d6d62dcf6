package io.cellmesh.bench;

import java.nio.file.Path;

/** Records what another JVM does, with Java's flight recorder. */
final class FlightRecording {
  private final Jcmd jcmd;
  private final String name;

  FlightRecording(long pid, String name) {
    this.jcmd = new Jcmd(pid);
    this.name = name;
  }

  /** Begins a recording that samples the running threads every 10 ms. */
  void begin() {
    jcmd.run("JFR.start", "name=" + name, "settings=profile");
  }

  /**
   * Begins a recording of nothing but the heap before and after each collection. The plus asks for
   * an event that these settings do not have; without it there is but a warning.
   */
  void beginHeap() {
    jcmd.run("JFR.start", "name=" + name, "settings=none", "+jdk.GCHeapSummary#enabled=true");
  }

  /** Leaves what was recorded so far in a file. */
  void dump(Path file) {
    jcmd.run("JFR.dump", "name=" + name, "filename=" + file);
  }

  void end() {
    jcmd.run("JFR.stop", "name=" + name);
  }
}
