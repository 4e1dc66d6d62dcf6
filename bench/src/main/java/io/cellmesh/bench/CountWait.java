package io.cellmesh.bench;

import io.cellmesh.connect.client.Waiting;
import io.cellmesh.devstack.DevStackException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/**
 * Waits until a count is as high as wanted, for so long and no longer.
 *
 * @param patience after which it gives up
 * @param renewed whether patience begins anew whenever the count moves
 * @param pause between two looks
 */
record CountWait(Duration patience, boolean renewed, Duration pause) {

  /** Gives up when the count has stood still for so long; looks a hundred times a second. */
  static CountWait whileItMoves(Duration stall) {
    return new CountWait(stall, true, Duration.ofMillis(10));
  }

  /** Gives up after so long, however the count moves. */
  static CountWait atMost(Duration patience, Duration pause) {
    return new CountWait(patience, false, pause);
  }

  /** Looks so often instead. */
  CountWait every(Duration wanted) {
    return new CountWait(patience, renewed, wanted);
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
    long last =
        renewed
            ? Waiting.whileItMoves(
                patience,
                pause,
                count::now,
                (seen, moved) -> seen >= wanted || !moved && !alive.getAsBoolean())
            : Waiting.last(
                patience, pause, count::now, seen -> seen >= wanted || !alive.getAsBoolean());
    if (last < wanted) {
      throw failure.apply(last);
    }
    return last;
  }
}
