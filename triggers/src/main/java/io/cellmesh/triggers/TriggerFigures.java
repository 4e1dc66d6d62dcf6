package io.cellmesh.triggers;

import java.util.concurrent.atomic.LongAdder;

/** Counts what a process did since it began. */
final class TriggerFigures {
  private final LongAdder called = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder parked = new LongAdder();
  private final LongAdder replayed = new LongAdder();

  void countCalled(int cells, int ofThemFailed) {
    called.add(cells);
    failed.add(ofThemFailed);
  }

  void countParked(int cells) {
    parked.add(cells);
  }

  void countReplayed() {
    replayed.increment();
  }

  /** Cells that were handed to the callback, each attempt once. */
  long called() {
    return called.sum();
  }

  /** Attempts that failed. */
  long failed() {
    return failed.sum();
  }

  /** Cells that were parked. */
  long parked() {
    return parked.sum();
  }

  /** Parked cells that went through the callback. */
  long replayed() {
    return replayed.sum();
  }
}
