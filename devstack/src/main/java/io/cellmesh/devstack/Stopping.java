package io.cellmesh.devstack;

import java.time.Duration;
import java.util.List;

/** Ends processes all at once: asks them, waits a little, kills the rest. */
final class Stopping {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration AFTER_KILL = Duration.ofSeconds(10);

  private Stopping() {}

  static void children(List<? extends Child> children) {
    all(children.stream().flatMap(child -> child.handle().stream()).toList());
  }

  static void all(List<ProcessHandle> processes) {
    var running = processes.stream().filter(ProcessHandle::isAlive).toList();
    if (running.isEmpty()) {
      return;
    }
    running.forEach(ProcessHandle::destroy);
    Signals.send("CONT", running.stream().map(ProcessHandle::pid).toList());
    if (!Waiting.within(PATIENCE, () -> running.stream().noneMatch(ProcessHandle::isAlive))) {
      running.forEach(ProcessHandle::destroyForcibly);
      Waiting.within(AFTER_KILL, () -> running.stream().noneMatch(ProcessHandle::isAlive));
    }
  }
}
