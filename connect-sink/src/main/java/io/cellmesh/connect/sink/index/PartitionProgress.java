package io.cellmesh.connect.sink.index;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * How far the entries of one partition are written, cluster by cluster. It holds offsets and never
 * entries: what a cluster lacks is read from the topic again.
 *
 * <p>Everything of a cluster below {@code written} is in its tables. A cluster that misses a batch
 * stays where it was and takes nothing more, until the topic is read from there. While one is
 * brought forward like that, the turns of reading alternate, a batch each, between it and the head,
 * so that fresh entries of the others don't wait for what piled up.
 *
 * <p>Used by the task's own thread alone.
 */
final class PartitionProgress {
  /** A turn at the head that brings no record is over after so many nanoseconds. */
  private static final long LONGEST_TURN = TimeUnit.MILLISECONDS.toNanos(500);

  /** The same if no other partition has records either. */
  private static final long QUIET_TURN = TimeUnit.MILLISECONDS.toNanos(50);

  private final Map<String, Long> written = new TreeMap<>();
  private long at;
  private long head;
  private long turned;
  private boolean turnOver;

  /**
   * @param first the first offset that was read; what is below it has been written before
   */
  PartitionProgress(Collection<String> clusters, long first) {
    clusters.forEach(cluster -> written.put(cluster, first));
    this.at = first;
    this.head = first;
  }

  /** Offsets that were read in one go: from one that is among them to one that is not. */
  record Span(long from, long end) {}

  /**
   * The next records of the partition have been read.
   *
   * @param first offset of the first one; if it was read before, for whatever reason, then all of
   *     it is to be written again
   * @param end the offset after the last one
   * @return what of the offsets they stand for: all since the last call
   */
  Span read(long first, long end) {
    if (first < at) {
      at = first;
      head = first;
      written.replaceAll((cluster, offset) -> Math.min(offset, first));
    }
    var span = new Span(at, end);
    at = end;
    turnOver = true;
    return span;
  }

  /** To be called when a span is done with: what is below the head was seen at least once. */
  void seen() {
    head = Math.max(head, at);
  }

  /** Whether a record has been read before. */
  boolean seenBefore(long offset) {
    return offset < head;
  }

  /** Whether a cluster lacks nothing before a span, and so can take what is in it. */
  boolean follows(String cluster, Span span) {
    return written.get(cluster) >= span.from();
  }

  /** Whether a cluster lacks the entry at an offset of a span that it {@link #follows}. */
  boolean lacks(String cluster, long offset) {
    return written.get(cluster) <= offset;
  }

  /** All entries of a span are in a cluster's tables; no news if something before it is not. */
  void wrote(String cluster, Span span) {
    if (follows(cluster, span)) {
      written.merge(cluster, span.end(), Math::max);
    }
  }

  /**
   * How far the group's offset may go.
   *
   * @param seen the offset after the last record that was read
   */
  long committable(long seen) {
    long lowest = Collections.min(written.values());
    return lowest < Math.max(at, head) ? Math.min(seen, lowest) : seen;
  }

  /** Offsets from the first entry that a cluster lacks, or may lack, to the head. */
  long waiting(String cluster) {
    return head - written.get(cluster);
  }

  /** Whether the next record is one that nobody has seen yet. */
  boolean atHead() {
    return at == head;
  }

  /**
   * Says where to read on, if not where reading stands.
   *
   * @param ready clusters that take entries now
   * @param now a time of {@link System#nanoTime}
   * @param quiet whether the last poll brought nothing at all
   * @param seek told the offset of the next record wanted
   */
  void turn(Predicate<String> ready, long now, boolean quiet, LongConsumer seek) {
    var behind = lowest(ready);
    boolean over = turnOver || now - turned >= (quiet ? QUIET_TURN : LONGEST_TURN);
    if (behind.isEmpty()) {
      turnTo(head, now, seek);
    } else if (at == head) {
      if (over) {
        turnTo(behind.getAsLong(), now, seek);
      }
    } else if (anyAtHead(ready)) {
      // What was asked for will come: it has been there.
      if (turnOver) {
        turnTo(head, now, seek);
      }
    } else if (behind.getAsLong() < at) {
      turnTo(behind.getAsLong(), now, seek);
    }
  }

  private void turnTo(long offset, long now, LongConsumer seek) {
    if (offset != at) {
      at = offset;
      turned = now;
      turnOver = false;
      seek.accept(offset);
    }
  }

  private OptionalLong lowest(Predicate<String> ready) {
    return written.entrySet().stream()
        .filter(one -> one.getValue() < head && ready.test(one.getKey()))
        .mapToLong(Map.Entry::getValue)
        .min();
  }

  private boolean anyAtHead(Predicate<String> ready) {
    return written.entrySet().stream()
        .anyMatch(one -> one.getValue() >= head && ready.test(one.getKey()));
  }
}
