package io.cellmesh.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Rounds under a profiler, their rates a little lower for that; they do not count. */
final class Profiled implements Course.Watcher {
  private final Course course;
  private final long worker;
  private final Flight warmUp;
  private final Flight flight;
  private final Path file;
  private Map<String, ThreadUse> before = Map.of();
  private List<ThreadUse> threads = List.of();

  Profiled(Course course) {
    var stack = course.contestant().stack();
    this.course = course;
    this.worker = stack.worker(Servers.DATACENTER).pid();
    this.warmUp = new Flight(worker, "warm-up");
    this.flight = new Flight(worker, "bench");
    this.file = stack.stateDir().resolve("profile.jfr");
  }

  /**
   * Profiles the second of two rounds: when a JVM first records it changes classes, and compiles
   * everything anew that knew them.
   */
  Profile measure(long cells) throws Exception {
    warmUp.begin();
    course.measure(cells);
    var round = course.measure(cells, this);
    warmUp.end();
    try {
      var contestant = course.contestant();
      return Profile.of(contestant.name(), round, threads, file, contestant.code());
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public void begins() {
    flight.begin();
    before = Threads.of(worker);
  }

  @Override
  public void ends() {
    threads = Threads.between(before, Threads.of(worker));
    flight.dump(file);
    flight.end();
  }
}
