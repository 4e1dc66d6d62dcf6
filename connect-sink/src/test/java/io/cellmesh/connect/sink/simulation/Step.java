package io.cellmesh.connect.sink.simulation;

/**
 * Something that happens to the modelled world at some time.
 *
 * @param at milliseconds since the beginning
 * @param which of the things that it can happen to
 * @param size how much of it, or for how many milliseconds
 */
record Step(long at, Kind kind, int which, int size) {
  /** What can happen. */
  enum Kind {
    /** Records come into one partition of a topic. */
    PRODUCE,
    /** A server dies and comes back, read-only, after some time. */
    CRASH,
    /** A server is stopped for some time; what was sent to it waits there. */
    HANG,
    /** A server takes its time. */
    SLOW,
    /** A server does what it is asked, and its answers are lost. */
    DEAF,
    /** A server is gone for good; another is promoted if it was a master. */
    LOSE,
    /** A minion receives and does not apply. */
    LAG,
    /** A minion does not receive. */
    CUT,
    /** A minion is promoted, whatever becomes of the master. */
    PROMOTE,
    /** A cluster gets one more minion. */
    ADD_MINION,
    /** A cluster lists one minion less. */
    REMOVE_MINION,
    /** A partition moves to another task. */
    MOVE,
    /** A task is stopped as it should be, and another begins. */
    RESTART,
    /** A task is believed dead, another begins, and it goes on. */
    ZOMBIE,
    /** Kafka forgets what is committed. */
    RETAIN,
    /** Kafka takes no rejections for some time. */
    MUTE
  }

  @Override
  public String toString() {
    return "%6d ms %s %d %d".formatted(at, kind, which, size);
  }
}
