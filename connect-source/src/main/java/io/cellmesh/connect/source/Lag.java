package io.cellmesh.connect.source;

import io.cellmesh.cell.GtidSet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * How far the reading is behind the master. It compares sets of transactions that one process saw
 * at moments of one clock, so no two hosts' clocks need to agree. Thread-safe.
 */
final class Lag {
  /** A day of a cluster that nobody reads. */
  private static final int MOST_SAMPLES = 86_400;

  private final Deque<Sample> unread = new ArrayDeque<>();
  private boolean known;
  private long transactions;
  private long millis;

  private record Sample(long at, GtidSet executed) {}

  /**
   * The master was asked.
   *
   * @param read the transactions that were read by then
   */
  synchronized void saw(ServerState master, Optional<GtidSet> read) {
    known = master.answer().isPresent() && read.isPresent();
    if (!known) {
      return;
    }
    var executed = master.answer().get().executed();
    unread.add(new Sample(master.at(), executed));
    while (!unread.isEmpty() && read.get().containsAll(unread.peek().executed())) {
      unread.remove();
    }
    if (unread.size() > MOST_SAMPLES) {
      unread.removeLast();
    }
    transactions = executed.without(read.get()).count();
    millis = unread.isEmpty() ? 0 : (master.at() - unread.peek().at()) / 1_000_000;
  }

  /** -1 if it is not known. */
  synchronized long transactions() {
    return known ? transactions : -1;
  }

  /** -1 if it is not known. */
  synchronized long millis() {
    return known ? millis : -1;
  }
}
