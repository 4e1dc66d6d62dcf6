package io.cellmesh.e2e.worker;

import java.time.Duration;
import java.util.regex.Pattern;

/** Counts the threads of the workers in this JVM. */
final class WorkerThreads {
  /** Pools grow and shrink by a few. */
  static final int SLACK = 8;

  /** As the worker, its server and its producer name them. */
  private static final Pattern NAMES =
      Pattern.compile(
          "(ingest-|watch-|index-|rejected|topology|worker-|cellmesh-probe|kafka-|http-|127\\.0\\.0\\.1:).*");

  private WorkerThreads() {}

  /** The most that there were at once, over a while. */
  static int most(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    int most = 0;
    while (System.nanoTime() - end < 0) {
      most = Math.max(most, now());
      Thread.sleep(50);
    }
    return most;
  }

  private static int now() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> NAMES.matcher(thread.getName()).matches())
            .count();
  }
}
