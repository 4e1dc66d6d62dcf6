package io.cellmesh.bench;

import io.cellmesh.devstack.DevStackException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/**
 * Looks at a count again and again until it is as high as wanted.
 *
 * @param patience after which it gives up
 * @param renewed whether patience begins anew whenever the count moves
 * @param pause between two looks
 */
record Waiting(Duration patience, boolean renewed, Duration pause) {

  /** Gives up when the count has stood still for so long; looks a hundred times a second. */
  static Waiting whileItMoves(Duration stall) {
    return new Waiting(stall, true, Duration.ofMillis(10));
  }

  /** Gives up after so long, however the count moves. */
  static Waiting atMost(Duration patience, Duration pause) {
    return new Waiting(patience, false, pause);
  }

  /** How many there are by now. */
  @FunctionalInterface
  interface Count {
    long now() throws SQLException, InterruptedException;
  }

  /** Waits for a count that is not in the hands of one process. */
  long until(long wanted, Count count, LongFunction<DevStackException> failure)
      throws SQLException, InterruptedException {
    return until(wanted, count, () -> true, failure);
  }

  /**
   * Waits for a count.
   *
   * @param alive whether who makes it grow still runs; without that it gives up at once, or, if
   *     patience is renewed, when the count stands still
   * @param failure what it throws when it gives up, made of the count
   * @return the count, as high as wanted or higher
   */
  long until(
      long wanted, Count count, BooleanSupplier alive, LongFunction<DevStackException> failure)
      throws SQLException, InterruptedException {
    long seen = -1;
    long begin = System.nanoTime();
    while (true) {
      long now = count.now();
      if (now >= wanted) {
        return now;
      }
      if (renewed && now != seen) {
        seen = now;
        begin = System.nanoTime();
      } else if (System.nanoTime() - begin > patience.toNanos() || !alive.getAsBoolean()) {
        throw failure.apply(now);
      }
      Thread.sleep(pause.toMillis());
    }
  }
}
