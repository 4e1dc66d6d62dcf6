package io.cellmesh.devstack;

import io.cellmesh.connect.client.Waiting;
import java.time.Duration;
import java.util.List;

/** Ends processes all at once. */
final class Stopping {
  /**
   * What JVMs need to leave their groups. A MySQL master waits longer than this for its minions to
   * go, and loses nothing when it is killed.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final Duration AFTER_KILL = Duration.ofSeconds(10);

  private Stopping() {}

  /** Asks them, waits a little, kills the rest. */
  static void gently(List<ProcessHandle> processes) {
    var running = alive(processes);
    if (running.isEmpty()) {
      return;
    }
    running.forEach(ProcessHandle::destroy);
    // A frozen process notices nothing before it runs again.
    Signals.send("CONT", running.stream().map(ProcessHandle::pid).toList());
    if (!Waiting.within(PATIENCE, () -> alive(running).isEmpty())) {
      kill(running);
    }
  }

  /** Without asking: for what nobody will look at again. */
  static void kill(List<ProcessHandle> processes) {
    var running = alive(processes);
    running.forEach(ProcessHandle::destroyForcibly);
    Waiting.within(AFTER_KILL, () -> alive(running).isEmpty());
  }

  private static List<ProcessHandle> alive(List<ProcessHandle> processes) {
    return processes.stream().filter(ProcessHandle::isAlive).toList();
  }
}
