package io.cellmesh.stack.chaos;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * What a session knows of a row of its own, whose cells have the ref_keys 1, 2, 3 …, and so what an
 * answer must have. Not safe for several threads.
 */
final class RowSight {
  /** Older ones say nothing that the younger do not, unless a minion is very far behind. */
  private static final int KEPT = 500;

  private final Deque<Fact> facts = new ArrayDeque<>();
  private long covered;

  /**
   * A moment by which the master had a cell.
   *
   * @param at by {@link System#nanoTime}
   * @param lasting whether no lost master can take it back
   */
  private record Fact(long ref, long at, boolean lasting) {}

  /**
   * An answer to a read.
   *
   * @param ref the highest that it has; 0 for none
   * @param asked when the call was sent, by {@link System#nanoTime}
   * @param lacks what it may lack, as it was told; zero for the master's, empty for unknown
   * @param positioned whether the session's positions were sent along
   * @param excused whether a lost server's cells may not all be back yet
   */
  record Answer(
      long ref, long asked, Optional<Duration> lacks, boolean positioned, boolean excused) {}

  /** A position is known that covers a cell. */
  void covers(long ref) {
    covered = Math.max(covered, ref);
  }

  /** The master had a cell by now. */
  void seen(long ref, long at, boolean lasting) {
    facts.addLast(new Fact(ref, at, lasting));
    if (facts.size() > KEPT) {
      facts.removeFirst();
    }
  }

  /** What an answer lacks that it must have, in words; empty if nothing. */
  Optional<String> judge(Answer answer) {
    if (answer.positioned && answer.ref < covered) {
      return Optional.of("its position covers ref_key " + covered);
    }
    return answer
        .lacks
        .flatMap(lacks -> missed(answer, answer.asked - lacks.toNanos()))
        .map(fact -> text(fact, answer));
  }

  private Optional<Fact> missed(Answer answer, long before) {
    return facts.stream()
        .filter(fact -> fact.at < before && fact.ref > answer.ref)
        .filter(fact -> fact.lasting || !answer.excused)
        .findFirst();
  }

  private static String text(Fact fact, Answer answer) {
    return "ref_key %d was there %.1f s before".formatted(fact.ref, (answer.asked - fact.at) / 1e9);
  }
}
