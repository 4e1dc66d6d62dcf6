package io.cellmesh.e2e.faults;

import java.time.Duration;

/**
 * How long things stay broken and how often. {@code -Dcellmesh.faults=full} asks for the figures
 * that the product promises; otherwise the shortest that prove the point, for every build.
 */
public record Figures(
    Duration primaryKilled,
    Duration primaryStopped,
    int secondaryKills,
    Duration secondariesDown,
    int workerKills,
    int poisonedLoad) {
  /** Cells a second, in every scenario. */
  public static final int RATE = 1_200;

  /** What counts as 1,000 cells a second having flowed. */
  static final int LEAST_RATE = 1_000;

  private static final Figures FULL =
      new Figures(seconds(30), seconds(60), 10, seconds(30), 20, 100_000);
  private static final Figures SHORT =
      new Figures(seconds(8), seconds(15), 3, seconds(6), 3, 20_000);

  static Figures ofThisRun() {
    return isFull() ? FULL : SHORT;
  }

  public static boolean isFull() {
    return System.getProperty("cellmesh.faults", "").equals("full");
  }

  /** Of all that is drawn at random; told in the report, so that a run can be repeated. */
  public static long seed() {
    return Long.getLong("cellmesh.faults.seed", 20_260_131L);
  }

  private static Duration seconds(int count) {
    return Duration.ofSeconds(count);
  }
}
