package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.Order;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/**
 * What a trigger's user chose.
 *
 * @param order within what cells are called one after the other
 * @param concurrency at most so many callbacks at once
 * @param batchSize at most so many cells a callback, 1 where it takes single ones
 * @param accepts says whether a cell is for the callback; others are finished when they are read
 * @param rowsFollow whether the later cells of a row are parked behind one that is
 * @param window the seconds over which it is counted how many cells fail
 */
record Settings(
    Order order,
    int concurrency,
    IntSupplier batchSize,
    Predicate<Delivery> accepts,
    boolean rowsFollow,
    int window,
    Bounds bounds,
    Retry retry) {
  Settings {
    if (concurrency < 1) {
      throw new IllegalArgumentException("concurrency: " + concurrency + ", must be positive");
    }
  }

  /** With a fixed size of batches. */
  Settings(
      Order order,
      int concurrency,
      int batch,
      Predicate<Delivery> accepts,
      boolean rowsFollow,
      int window,
      Bounds bounds,
      Retry retry) {
    this(order, concurrency, () -> batch, accepts, rowsFollow, window, bounds, retry);
    if (batch < 1) {
      throw new IllegalArgumentException("batch: " + batch + ", must be positive");
    }
  }

  /** How many cells a callback gets at once, at most, at the moment. */
  int batch() {
    return batchSize.getAsInt();
  }
}
