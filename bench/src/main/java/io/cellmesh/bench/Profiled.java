package io.cellmesh.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Rounds under a profiler, their rates a little lower for that; they do not count. */
final class Profiled implements Watcher {
  private final Measured measured;
  private final long worker;
  private final FlightRecording warmUp;
  private final FlightRecording recording;
  private final Path file;
  private Map<String, ThreadUse> before = Map.of();
  private List<ThreadUse> threads = List.of();

  Profiled(Measured measured) {
    var stack = measured.stack();
    this.measured = measured;
    this.worker = stack.worker(Servers.DATACENTER).pid();
    this.warmUp = new FlightRecording(worker, "warm-up");
    this.recording = new FlightRecording(worker, "bench");
    this.file = stack.stateDir().resolve("profile.jfr");
  }

  /** Runs a round. */
  @FunctionalInterface
  interface Rounds {
    Round round(Watcher watcher) throws Exception;
  }

  /**
   * Profiles the second of two rounds: when a JVM first records it changes classes, and compiles
   * everything anew that knew them.
   */
  Profile measure(Rounds rounds) throws Exception {
    warmUp.begin();
    rounds.round(Watcher.NONE);
    var round = rounds.round(this);
    warmUp.end();
    try {
      return Profile.of(measured.name(), round, threads, file, measured.code());
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public void begins() {
    recording.begin();
    before = Threads.of(worker);
  }

  @Override
  public void ends() {
    threads = Threads.between(before, Threads.of(worker));
    recording.dump(file);
    recording.end();
  }
}
