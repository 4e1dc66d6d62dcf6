package io.cellmesh.herb;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How a link is.
 *
 * @param why what it waits for or what is wrong; empty while it runs
 * @param behind records of the peer's log that this process has not fetched yet, and over HTTP
 *     those that wait for room
 * @param lagMs how old the record was that was read last; empty before the first
 * @param window what it waits for before it reads on
 * @param pace cells a second that it keeps to while others' come; empty where it brings all it can
 * @param counts since the process began
 * @param unlinked cells of data centres of which there is no link here, by their names
 */
record LinkHealth(
    State state,
    String why,
    long behind,
    OptionalLong lagMs,
    MeshWindow.State window,
    OptionalDouble pace,
    LinkFigures.Counts counts,
    Map<String, Long> unlinked) {

  /** Where a link is in its life. */
  enum State {
    /** Looks at the peer, or joins its consumer group. */
    STARTING,
    /** Reads and writes. */
    RUNNING,
    /** One of both Kafkas, or the peer, does not answer; goes on when it does. */
    WAITING,
    /** Something failed; tried again in a moment, from its place. */
    RESTARTING,
    /** Needs a person, or a right; goes on by itself once that has been mended. */
    HALTED,
    /** Somebody has paused it; goes on at its place when it is resumed. */
    PAUSED,
    /** Somebody has given its peer up as lost. */
    LOST
  }

  /** Whether it reads and writes. */
  boolean isUp() {
    return state == State.RUNNING;
  }

  /** Whether it is as it is wanted: it also stands still where somebody wants that. */
  boolean isGood() {
    return isUp() || state == State.PAUSED || state == State.LOST;
  }
}
