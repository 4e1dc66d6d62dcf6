package io.cellmesh.e2e.log;

import io.cellmesh.e2e.faults.Figures;
import java.time.Duration;

/**
 * How much and how often, as {@link Figures} has it. {@code -Dcellmesh.faults.worker.kills=N}
 * splits the longest of the full ones into several runs.
 *
 * @param cells through the sink, from eight producers
 * @param serverKills of the mysqld that is read
 * @param serverStopped how long it hangs
 * @param workerKills of the worker that reads
 * @param exactlyOnceKills the same with exactly-once on
 */
public record LogFigures(
    int cells, int serverKills, Duration serverStopped, int workerKills, int exactlyOnceKills) {
  /** From a server's return to the next of its cells in the log, at the most. */
  static final Duration BACK_AFTER_SERVER = Duration.ofSeconds(3);

  /** The same from a worker's death. */
  static final Duration BACK_AFTER_WORKER = Duration.ofSeconds(15);

  /** With exactly-once on, Connect also fences the dead worker's producers first. */
  static final Duration BACK_AFTER_WORKER_ONCE = Duration.ofSeconds(30);

  private static final LogFigures FULL =
      new LogFigures(500_000, 10, Duration.ofSeconds(60), kills(30), kills(30));
  private static final LogFigures SHORT =
      new LogFigures(8_000, 2, Duration.ofSeconds(8), kills(1), kills(1));

  public static LogFigures ofThisRun() {
    return Figures.isFull() ? FULL : SHORT;
  }

  private static int kills(int otherwise) {
    return Integer.getInteger("cellmesh.faults.worker.kills", otherwise);
  }
}
