package io.cellmesh.devstack;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Writes the {@link ClassArchive}s of the next stacks out of one that has been up for a while: by
 * then its JVMs have loaded what they need, and the start-up that people wait for is over.
 */
final class ClassArchiving implements AutoCloseable {
  private static final int AFTER_SECONDS = 60;

  private final Members members;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            var thread = new Thread(task, "devstack-class-archives");
            thread.setDaemon(true);
            return thread;
          });

  ClassArchiving(Members members) {
    this.members = members;
  }

  void start() {
    timer.schedule(this::writeAll, AFTER_SECONDS, TimeUnit.SECONDS);
  }

  private void writeAll() {
    members.brokers().values().stream()
        .flatMap(brokers -> brokers.stream().limit(1))
        .limit(1)
        .forEach(ClassArchiving::write);
    members.workers().values().stream()
        .flatMap(workers -> workers.stream().limit(1))
        .limit(1)
        .forEach(ClassArchiving::write);
  }

  private static void write(Child child) {
    child.handle().ifPresent(h -> KafkaJars.archive(child.kind()).writeFrom(h.pid()));
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
