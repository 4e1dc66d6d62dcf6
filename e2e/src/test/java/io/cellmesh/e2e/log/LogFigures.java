package io.cellmesh.e2e.log;

import io.cellmesh.e2e.faults.Figures;
import java.time.Duration;

/**
 * How much and how often. {@code -Dcellmesh.faults=full} asks for the figures that the product
 * promises; otherwise the least that proves the point, for every build. {@code
 * -Dcellmesh.faults.worker.kills=N} splits the longest of them into several runs.
 *
 * @param cells through the sink, from eight producers
 * @param serverKills of the mysqld that is read
 * @param serverStopped how long it hangs
 * @param workerKills of the worker that reads
 * @param exactlyOnceKills the same with exactly-once on
 */
record LogFigures(
    int cells, int serverKills, Duration serverStopped, int workerKills, int exactlyOnceKills) {
  private static final Duration BACK_AFTER_SERVER = Duration.ofSeconds(3);
  private static final Duration BACK_AFTER_WORKER = Duration.ofSeconds(15);

  private static final LogFigures FULL =
      new LogFigures(500_000, 10, Duration.ofSeconds(60), kills(30), kills(30));
  private static final LogFigures SHORT =
      new LogFigures(40_000, 2, Duration.ofSeconds(8), kills(0), kills(1));

  static LogFigures ofThisRun() {
    return Figures.isFull() ? FULL : SHORT;
  }

  /** From a server's return to the next of its cells in the log, at the most. */
  Duration backAfterServer() {
    return allowed(BACK_AFTER_SERVER);
  }

  /** The same from a worker's death. */
  Duration backAfterWorker() {
    return allowed(BACK_AFTER_WORKER);
  }

  /**
   * A build may share its two processors with who knows what, besides the fifteen processes of the
   * stack: there only twice the time is a failure, and the report says how long it took.
   */
  private Duration allowed(Duration promised) {
    return this == FULL ? promised : promised.multipliedBy(2);
  }

  private static int kills(int otherwise) {
    return Integer.getInteger("cellmesh.faults.worker.kills", otherwise);
  }
}
