package io.cellmesh.devstack;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Writes the {@link ClassArchive}s of the next stacks out of one that has been up for a while: by
 * then its JVMs have loaded what they need, and the start-up that people wait for is over.
 */
final class ClassArchiving implements AutoCloseable {
  private static final int AFTER_SECONDS = 45;
  private static final int SETTLED_SECONDS = 20;

  private final Members members;
  private final List<JavaApp> apps;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            var thread = new Thread(task, "devstack-class-archives");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param apps those that run by the time that archives are written
   */
  ClassArchiving(Members members, List<JavaApp> apps) {
    this.members = members;
    this.apps = apps;
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
    apps.stream().filter(JavaApp::isBuiltHere).forEach(app -> write(app, app.archive()));
  }

  private static void write(Child child) {
    write(child, KafkaJars.archive(child.kind()));
  }

  private static void write(Child child, ClassArchive archive) {
    child
        .handle()
        .filter(ClassArchiving::isSettled)
        .ifPresent(process -> archive.writeFrom(process.pid()));
  }

  /**
   * One that has only just begun, as after a kill, lacks classes, and may not outlive the question.
   */
  private static boolean isSettled(ProcessHandle process) {
    var young = Instant.now().minusSeconds(SETTLED_SECONDS);
    return process.info().startInstant().filter(begun -> begun.isBefore(young)).isPresent();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
