package io.cellmesh.e2e.faults;

import java.time.Duration;

/**
 * How many cells flow, how long things stay broken and how often. The Maven profile {@code full}
 * asks for the figures that the product promises; otherwise they are the least that prove the
 * point, for every build.
 *
 * @param rate cells a second that flow meanwhile
 * @param poisons at the least, one after each hundred cells
 * @param poisonedRate cells a second that flow beside poison
 */
public record Figures(
    int rate,
    Duration primaryKilled,
    Duration primaryStopped,
    int secondaryKills,
    Duration secondariesDown,
    int workerKills,
    int poisons,
    int poisonedRate) {
  private static final Figures FULL =
      new Figures(1_200, seconds(30), seconds(60), 10, seconds(30), 20, 1_000, 2_000);
  private static final Figures SHORT =
      new Figures(200, seconds(8), seconds(15), 3, seconds(6), 3, 200, 1_000);

  static Figures ofThisRun() {
    return isFull() ? FULL : SHORT;
  }

  /** What counts as the rate having flowed: 1,000 of 1,200 cells. */
  double leastRate() {
    return rate / 1.2;
  }

  public static boolean isFull() {
    return System.getProperty("cellmesh.figures", "").equals("full");
  }

  /** Of all that is drawn at random; told in the report, so that a run can be repeated. */
  public static long seed() {
    return Long.getLong("cellmesh.faults.seed", 20_260_131L);
  }

  private static Duration seconds(int count) {
    return Duration.ofSeconds(count);
  }
}
