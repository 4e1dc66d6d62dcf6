package io.cellmesh.connect.sink;

import io.cellmesh.storage.Mark;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;

/**
 * Watches that the records of each partition follow on what was read before, and notices a topic
 * that was recreated, lost its end or was overtaken by its retention, and offsets that were reset.
 * Where it has reason to doubt it asks for the record before the last known place, whose digest
 * tells. Not thread-safe.
 */
final class Continuity {
  private final ToLongFunction<TopicPartition> logStart;
  private final Map<TopicPartition, Watch> watches = new HashMap<>();

  /**
   * @param logStart the first offset that a partition still has
   */
  Continuity(ToLongFunction<TopicPartition> logStart) {
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
    watches.put(at, new Watch(known));
  }

  /** Begins to watch a partition of which nothing is known, because no primary answers. */
  void beginAt(Batch.Range range) {
    var watch = new Watch(new Mark(range.first(), 0));
    watch.reached = true;
    watches.put(range.at(), watch);
  }

  /** Expects the records from a place on next, since they were asked for again. */
  Finding.ReadFrom rewindTo(TopicPartition at, Mark known) {
    var watch = new Watch(known);
    watches.put(at, watch);
    return watch.ask();
  }

  /** Judges records; what follows is remembered by {@link #seen}. */
  Finding judge(Batch.Range range) {
    return watches.get(range.at()).judge(range);
  }

  /** The records of a range are dealt with. */
  void seen(Batch.Range range) {
    watches.get(range.at()).seen(range.end());
  }

  /** Whether records that were asked for have not come yet. */
  boolean waits(TopicPartition at) {
    return watches.containsKey(at) && watches.get(at).waits();
  }

  /** Up to where a partition was read; null if it was never met. */
  Mark known(TopicPartition at) {
    var watch = watches.get(at);
    return watch == null ? null : watch.known;
  }

  void forget(TopicPartition at) {
    watches.remove(at);
  }

  private final class Watch {
    private static final long NOTHING = -1;

    private Mark known;
    private long asked = NOTHING;

    /** Where a new owner came from to look at the record before the position, and returns to. */
    private long origin = NOTHING;

    private boolean returning;
    private boolean compared;
    private boolean reached;

    Watch(Mark known) {
      this.known = known;
    }

    Finding.ReadFrom ask() {
      asked = Math.max(0, known.next() - 1);
      return new Finding.ReadFrom(asked);
    }

    boolean waits() {
      return asked != NOTHING || returning;
    }

    Finding judge(Batch.Range range) {
      long first = range.first();
      if (returning) {
        returning = false;
        return FOLLOWS;
      }
      if (asked != NOTHING) {
        return judgeAsked(range);
      }
      if (first == known.next() && (reached || first == 0)) {
        return FOLLOWS;
      }
      if (first < known.next()) {
        if (range.end().next() >= known.next()) {
          return sameBefore(range);
        }
        if (compared && !reached) {
          return FOLLOWS;
        }
        // A new owner begins where offsets were last committed, which may be before the position:
        // it comes back when it has looked. In the middle of a run nothing goes back by itself.
        origin = reached ? NOTHING : first;
        return ask();
      }
      return reached ? stillThere(range, first) : ask();
    }

    private Finding judgeAsked(Batch.Range range) {
      long first = range.first();
      if (first < asked) {
        return new Finding.Changed(known.next());
      }
      asked = NOTHING;
      compared = true;
      var finding = first < known.next() ? sameBefore(range) : stillThere(range, first);
      if (finding == FOLLOWS && origin != NOTHING) {
        returning = true;
        return new Finding.ReadFrom(origin);
      }
      return finding;
    }

    private Finding sameBefore(Batch.Range range) {
      long digest = range.digestAt(known.next() - 1).orElse(0L);
      return known.digest() == 0 || digest == known.digest()
          ? FOLLOWS
          : new Finding.Changed(known.next());
    }

    /** Offsets that are missing are markers of transactions, or were overtaken by retention. */
    private Finding stillThere(Batch.Range range, long first) {
      if (first == known.next()) {
        return FOLLOWS;
      }
      long start = logStart.applyAsLong(range.at());
      return start <= known.next() ? FOLLOWS : new Finding.Expired(known.next(), start);
    }

    void seen(Mark end) {
      if (end.next() >= known.next()) {
        known = end;
        reached = true;
      }
    }
  }
}
