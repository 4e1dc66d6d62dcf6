package io.cellmesh.devstack;

/** Told what is going on while something takes its time. Called from several threads. */
public interface Progress {

  /** One finished or begun step, for people. */
  void step(String text);

  /**
   * How far a long transfer is.
   *
   * @param total the bytes there are in all, or -1 when nobody knows
   */
  default void bytes(String what, long done, long total) {}

  /** Tells nobody. */
  static Progress silent() {
    return text -> {};
  }
}
