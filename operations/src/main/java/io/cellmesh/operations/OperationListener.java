package io.cellmesh.operations;

/** Hears what an operation does: steps that take their time, one after another. */
public interface OperationListener {
  /**
   * Runs a step and returns what it made.
   *
   * @throws Exception that the work ended with
   */
  <T> T call(String label, Work<T> work) throws Exception;

  /**
   * Runs a step that makes nothing.
   *
   * @throws Exception that the action ended with
   */
  default void run(String label, Action action) throws Exception {
    call(
        label,
        step -> {
          action.run(step);
          return null;
        });
  }

  /** The step that runs; safe for any number of threads. */
  interface Step {
    /** Says what it is just at, in place of what was said before. */
    void detail(String text);

    /** Says how far it is. */
    void progress(long done, long total);

    /** Says what it did, in place of its label, once it is done. */
    void result(String text);
  }

  /** Work that may say how far it is. */
  @FunctionalInterface
  interface Work<T> {
    T run(Step step) throws Exception;
  }

  /** As {@link Work}, without a result. */
  @FunctionalInterface
  interface Action {
    void run(Step step) throws Exception;
  }

  /** A listener that tells nobody. */
  static OperationListener silent() {
    return Silent.LISTENER;
  }
}
