package io.cellmesh.bench;

import io.cellmesh.devstack.DevStackException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Takes the pace at which what waited is worked off, by a clock that runs from the first cell that
 * has come through to the last.
 */
final class Drain {
  private static final Duration STALL = Duration.ofSeconds(60);

  private final Measured measured;
  private final Supplier<String> state;

  /**
   * @param state says, when no more comes, how whoever should bring it is
   */
  Drain(Measured measured, Supplier<String> state) {
    this.measured = measured;
    this.state = state;
  }

  /**
   * Waits until so many cells have come through.
   *
   * @param before how many had come through when it was let go
   * @param all how many there are
   */
  Round measure(long before, long all, Watcher watcher) throws SQLException, InterruptedException {
    long first = await(before + 1);
    watcher.begins();
    var clock = Processor.watch(measured.stack());
    double steady = steady(first, all);
    await(all);
    var round = clock.round(all - first, steady);
    watcher.ends();
    return round;
  }

  /**
   * Waits for cells, and returns how many have come through.
   *
   * @param wanted so many at least
   * @throws DevStackException if nothing moves for long
   */
  long await(long wanted) throws SQLException, InterruptedException {
    return CountWait.whileItMoves(STALL)
        .until(
            wanted,
            measured::visible,
            visible ->
                new DevStackException(
                    "%s: %,d of %,d cells are visible and no more for %d s; %s"
                        .formatted(
                            measured.name(), visible, wanted, STALL.toSeconds(), state.get())));
  }

  /** Cells a second while all have work: without the first fifth and the last. */
  private double steady(long first, long all) throws SQLException, InterruptedException {
    long fifth = (all - first) / 5;
    long begin = await(first + fifth);
    long start = System.nanoTime();
    long end = await(all - fifth);
    return (end - begin) / ((System.nanoTime() - start) / 1e9);
  }
}
