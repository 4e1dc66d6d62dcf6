package io.cellmesh.connect.sink;

import io.cellmesh.storage.Mark;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;

/**
 * Watches that the records of each partition follow on what was read before, and notices a topic
 * that was recreated, lost its end or was overtaken by its retention, and offsets that were reset.
 * Where it has reason to doubt it asks for the record before the last known place, whose digest
 * tells.
 *
 * <p>What a delivery taught counts only once it is {@link #keep kept}. After a delivery that failed
 * Connect brings the same records again, and applies no seek that was not asked for; {@link #undo}
 * makes them look as they did the first time. Not thread-safe.
 */
final class OffsetContinuity {
  private final ToLongFunction<TopicPartition> logStart;
  private Map<TopicPartition, Watch> kept = new HashMap<>();
  private Map<TopicPartition, Watch> watches = new HashMap<>();

  /**
   * @param logStart the first offset that a partition still has
   */
  OffsetContinuity(ToLongFunction<TopicPartition> logStart) {
    this.logStart = logStart;
  }

  /** What a range of records turned out to be. */
  sealed interface Finding {
    /** It follows on what is known, or repeats it. */
    record Follows() implements Finding {}

    /** It can't be told yet: read again from an offset. */
    record ReadFrom(long offset) implements Finding {}

    /** The records from one offset up to, not including, another are no longer in the topic. */
    record Expired(long from, long to) implements Finding {}

    /** The record before an offset is not the one that was there. */
    record Changed(long next) implements Finding {}
  }

  private static final Finding FOLLOWS = new Finding.Follows();

  /** Whether a partition has been met. */
  boolean watches(TopicPartition at) {
    return watches.containsKey(at);
  }

  /**
   * Begins to watch a partition.
   *
   * @param known the farthest place that some primary has reached
   */
  void begin(TopicPartition at, Mark known) {
    watches.put(at, Watch.of(known, Phase.NEW));
  }

  /** Begins to watch a partition of which nothing is known yet, because no primary answers. */
  void beginAt(Batch.Range range) {
    watches.put(range.at(), Watch.of(new Mark(range.first(), 0), Phase.BLIND));
  }

  /** Whether a partition is watched of which no position was known when that began. */
  boolean blind(TopicPartition at) {
    return watches.containsKey(at) && watches.get(at).phase == Phase.BLIND;
  }

  /**
   * Has a partition read again from a primary's place. The record before it is looked at first; if
   * reading has not come that far yet, it then goes on where it would have.
   *
   * @param start where reading begins if it has not begun
   */
  Finding.ReadFrom rewindTo(TopicPartition at, Mark known, long start) {
    var now = watches.getOrDefault(at, Watch.of(known, Phase.NEW));
    var lowest = now.rewound() && now.known.next() < known.next() ? now.known : known;
    var watch = now.rewoundTo(lowest, watches.containsKey(at)).ask(now.lowest(start));
    watches.put(at, watch);
    return new Finding.ReadFrom(watch.asked);
  }

  /** Whether a partition was rewound and no record that was asked for has come since. */
  boolean rewound(TopicPartition at) {
    return watches.containsKey(at) && watches.get(at).rewound();
  }

  /**
   * Takes back a rewind that nobody needs any more.
   *
   * @param start where reading begins if it had not begun
   * @return where reading goes on
   */
  long resume(TopicPartition at, long start) {
    var before = watches.get(at).before;
    if (before.known == null) {
      watches.remove(at);
      return start;
    }
    watches.put(at, before);
    return before.expected(start);
  }

  /** Judges records; what follows is remembered by {@link #seen}. */
  Finding judge(Batch.Range range) {
    var watch = watches.get(range.at());
    return switch (watch.phase) {
      case NEW -> judgeFirst(watch, range);
      case ASKED -> judgeAsked(watch, range);
      case BLIND, RETURNING, COMPARED, REACHED -> judgeNext(watch, range);
    };
  }

  /** The records of a range are dealt with. */
  void seen(Batch.Range range) {
    watches.computeIfPresent(range.at(), (at, watch) -> watch.seen(range.end()));
  }

  /** What was learnt holds: Connect won't deliver these records again. */
  void keep() {
    kept = new HashMap<>(watches);
  }

  /** The delivery failed: everything is as the last one left it that did not. */
  void undo() {
    watches = new HashMap<>(kept);
  }

  /** Whether records that were asked for have not come yet. */
  boolean waits(TopicPartition at) {
    return watches.containsKey(at) && watches.get(at).waits();
  }

  /** Up to where a partition was read since this owner, or a rewind, began; null if it was not. */
  Mark read(TopicPartition at) {
    return watches.containsKey(at) ? watches.get(at).read : null;
  }

  /** Up to where a partition was read before it was rewound; 0 if it never was. */
  long readBefore(TopicPartition at) {
    return watches.containsKey(at) ? watches.get(at).had : 0;
  }

  /** The lowest offset that is still to come because it was asked for; empty if none was. */
  OptionalLong pending(TopicPartition at) {
    return waits(at) ? OptionalLong.of(watches.get(at).lowest(0)) : OptionalLong.empty();
  }

  void forget(TopicPartition at) {
    watches.remove(at);
    kept.remove(at);
  }

  /**
   * A new owner begins where offsets were last committed. If that is before the position it looks
   * at the record before the position first, and comes back.
   */
  private Finding judgeFirst(Watch watch, Batch.Range range) {
    if (range.first() == 0 && watch.known.next() == 0) {
      return FOLLOWS;
    }
    return covers(range, watch.known) ? same(watch, range) : ask(watch, range, range.first());
  }

  private Finding judgeAsked(Watch watch, Batch.Range range) {
    if (range.first() < watch.asked) {
      return new Finding.Changed(watch.known.next());
    }
    var finding =
        range.first() < watch.known.next() ? same(watch, range) : withoutAsked(watch, range);
    if (finding == FOLLOWS && watch.origin != Watch.NOTHING) {
      watches.put(range.at(), watch.in(Phase.RETURNING));
      return new Finding.ReadFrom(watch.origin);
    }
    watches.put(range.at(), watch.in(Phase.COMPARED));
    return finding;
  }

  /** The record that was asked for did not come: it was there once, and only retention takes it. */
  private Finding withoutAsked(Watch watch, Batch.Range range) {
    var known = watch.known;
    boolean retained = known.digest() != 0 && logStart.applyAsLong(range.at()) < known.next();
    return retained ? new Finding.Changed(known.next()) : present(range, known.next());
  }

  private Finding judgeNext(Watch watch, Batch.Range range) {
    long expected = watch.expected(range.first());
    if (range.first() < expected && !covers(range, watch.known)) {
      // Nothing goes back by itself: the topic may be another one.
      return ask(watch, range, expected);
    }
    var finding = same(watch, range);
    return finding == FOLLOWS && range.first() > expected ? present(range, expected) : finding;
  }

  private Finding ask(Watch watch, Batch.Range range, long returnTo) {
    var asking = watch.ask(returnTo);
    watches.put(range.at(), asking);
    return new Finding.ReadFrom(asking.asked);
  }

  /** Whether the records that were read before, and that a range has too, are the same. */
  private static Finding same(Watch watch, Batch.Range range) {
    for (var mark : watch.marks()) {
      if (covers(range, mark)
          && mark.digest() != 0
          && range.digestAt(mark.next() - 1).orElse(0L) != mark.digest()) {
        return new Finding.Changed(mark.next());
      }
    }
    return FOLLOWS;
  }

  /** Offsets that are missing are markers of transactions, or were overtaken by retention. */
  private Finding present(Batch.Range range, long expected) {
    if (range.first() == expected) {
      return FOLLOWS;
    }
    long start = logStart.applyAsLong(range.at());
    // While a delivery fails again and again retention may take what it holds in hand.
    return start <= expected
        ? FOLLOWS
        : new Finding.Expired(expected, Math.min(start, range.first()));
  }

  /** Whether a range has the record before a mark. */
  private static boolean covers(Batch.Range range, Mark mark) {
    return range.first() < mark.next() && range.end().next() >= mark.next();
  }

  private enum Phase {
    /** There is nothing to compare with. */
    BLIND,
    /** Nothing is compared, and nothing was read. */
    NEW,
    /** The record before the known place was asked for. */
    ASKED,
    /** It is the right one; the records from the origin were asked for. */
    RETURNING,
    /** Reading goes on to the known place. */
    COMPARED,
    /** The known place is where reading stands. */
    REACHED
  }

  /**
   * What is known of a partition.
   *
   * @param known the place that records are compared with; null in place of a watch that was not
   * @param read up to where records came; null if none did
   * @param asked the offset of the record before the known place, if it was asked for
   * @param origin where reading goes on when that record was looked at, if it lies before
   * @param had up to where records came before a rewind
   * @param before what a rewind took the place of; null if it was none
   */
  private record Watch(
      Mark known, Phase phase, Mark read, long asked, long origin, long had, Watch before) {
    static final long NOTHING = -1;

    static Watch of(Mark known, Phase phase) {
      return new Watch(known, phase, null, NOTHING, NOTHING, 0, null);
    }

    Watch in(Phase next) {
      return new Watch(known, next, read, asked, origin, had, before);
    }

    Watch ask(long returnTo) {
      long ask = Math.max(0, known.next() - 1);
      return new Watch(
          known, Phase.ASKED, read, ask, returnTo < ask ? returnTo : NOTHING, had, before);
    }

    Watch rewoundTo(Mark lowest, boolean watched) {
      var instead = rewound() ? before : watched ? withoutBefore() : of(null, Phase.NEW);
      long reached = read == null ? had : Math.max(had, read.next());
      return new Watch(lowest, Phase.NEW, null, NOTHING, NOTHING, reached, instead);
    }

    private Watch withoutBefore() {
      return new Watch(known, phase, read, asked, origin, had, null);
    }

    Watch seen(Mark end) {
      boolean reached = end.next() >= known.next();
      return new Watch(
          reached ? end : known,
          phase == Phase.BLIND ? phase : reached ? Phase.REACHED : Phase.COMPARED,
          end,
          NOTHING,
          NOTHING,
          had,
          before);
    }

    boolean waits() {
      return phase == Phase.ASKED || phase == Phase.RETURNING;
    }

    boolean rewound() {
      return before != null && read == null;
    }

    /** Where the next records begin. */
    long expected(long start) {
      return switch (phase) {
        case NEW -> start;
        case ASKED -> asked;
        case RETURNING -> origin;
        case BLIND, COMPARED, REACHED -> read == null ? known.next() : read.next();
      };
    }

    /** The lowest offset that is still to be read. */
    long lowest(long start) {
      return phase == Phase.ASKED && origin != NOTHING ? origin : expected(start);
    }

    /** The places whose records are known. */
    List<Mark> marks() {
      return before == null || before.known == null ? List.of(known) : List.of(known, before.known);
    }
  }
}
