package io.cellmesh.client;

/** The result of one part of a batch, which succeeds or fails for itself. */
public sealed interface Outcome<T> {

  /**
   * The result.
   *
   * @throws CellmeshException if this part failed
   */
  T get();

  /** It succeeded. */
  record Done<T>(T value) implements Outcome<T> {
    @Override
    public T get() {
      return value;
    }
  }

  /** It failed. */
  record Failed<T>(CellmeshException failure) implements Outcome<T> {
    @Override
    public T get() {
      throw failure;
    }
  }
}
