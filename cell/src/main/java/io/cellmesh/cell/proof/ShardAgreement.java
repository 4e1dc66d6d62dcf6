package io.cellmesh.cell.proof;

import io.cellmesh.cell.proof.Difference.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The cells of one origin in one shard, as its log has them and as another data centre has. */
final class ShardAgreement {
  /** How long both sides must have rested before the last of what they tell is compared. */
  private static final long REST_MS = 10_000;

  /** As far apart the clocks of two data centres may be, where what both say is compared. */
  private static final long CLOCKS_MS = 30_000;

  private final OriginShard cells;
  private final TreeMap<Long, Bucket> there = new TreeMap<>();
  private final Map<FoldSource, TreeMap<Long, Bucket>> here = new EnumMap<>(FoldSource.class);

  /** The buckets that are not settled for good. */
  private final TreeSet<Long> unsettled = new TreeSet<>();

  private final List<Difference> differences = new ArrayList<>();
  private final List<Difference> absent = new ArrayList<>();
  private long repeats;
  private long settledCells;
  private long agreed;
  private long held;
  private long waiting;
  private long waitingSince;
  private long agreedTo = Bucket.NONE;
  private boolean ahead;

  /** How far the mesh topic was ahead when the origin's log had last told of all that was. */
  private long awaited = Bucket.NONE;

  /** What the origin's clock said then. */
  private long awaitedAt;

  /** The highest origin_id that is not compared. */
  private long after = Bucket.NONE;

  ShardAgreement(OriginShard cells) {
    this.cells = cells;
    for (var source : FoldSource.TOPICS) {
      here.put(source, new TreeMap<>());
    }
  }

  /** Leaves out the cells up to an origin_id, on both sides. */
  void compareAfter(long originId) {
    after = Math.max(after, originId);
  }

  void there(long number, Bucket bucket) {
    put(there, number, bucket);
  }

  void here(FoldSource source, long number, Bucket bucket) {
    var side = here.get(source);
    if (source == FoldSource.MESH) {
      repeats += repeatsOf(bucket) - repeatsOf(side.get(number));
    }
    put(side, number, bucket);
  }

  private static long repeatsOf(Bucket bucket) {
    return bucket == null ? 0 : bucket.repeats();
  }

  OriginShard cells() {
    return cells;
  }

  List<Difference> differences() {
    return differences;
  }

  List<Difference> absent() {
    return absent;
  }

  long agreed() {
    return settledCells + agreed;
  }

  long held() {
    return settledCells + held;
  }

  long waiting() {
    return waiting;
  }

  long waitingSince() {
    return waitingSince;
  }

  /** The highest origin_id up to which the mesh topic agrees; -1 before the first. */
  long agreedTo() {
    return agreedTo;
  }

  long repeats() {
    return repeats;
  }

  /** Cells of the mesh topic behind all that the origin's log has told of. */
  boolean isAhead() {
    return ahead;
  }

  /** Where the origin's log has the cells of a bucket and the first one behind them. */
  Stretch stretchThere(long number) {
    return stretch(there, number);
  }

  /** The same of the log here. */
  Stretch stretchHere(long number) {
    return stretch(here.get(FoldSource.LOG), number);
  }

  private static Stretch stretch(TreeMap<Long, Bucket> side, long number) {
    var before = side.floorEntry(number);
    var next = side.higherEntry(number);
    long from =
        before == null
            ? 0
            : before.getKey() == number
                ? before.getValue().firstOffset()
                : before.getValue().lastOffset();
    return new Stretch(from, next == null ? Long.MAX_VALUE : next.getValue().firstOffset());
  }

  /**
   * Looks again at what is not settled.
   *
   * @param restedAt when the origin's log had told of all that it held, in milliseconds since 1970;
   *     0 if it never did
   * @param whole whether nothing of the origin's log had expired before it was folded
   * @param cutThere when records of the origin's log had expired last before they were folded, in
   *     milliseconds since 1970; 0 if they never had
   * @param cutHere the same of the mesh topic
   */
  void compare(long restedAt, boolean whole, long cutThere, long cutHere) {
    differences.clear();
    absent.clear();
    agreed = 0;
    held = 0;
    waiting = 0;
    waitingSince = Long.MAX_VALUE;
    agreedTo = reached();
    for (long number : List.copyOf(unsettled)) {
      compareBucket(number, cutHere);
    }
    // A shard of which all had expired is told of by nothing.
    if (whole || !there.isEmpty()) {
      lookAhead(restedAt, cutThere);
    }
  }

  /**
   * What the origin does not tell of long after it came here is not the origin's; unless it came
   * before some of the origin's log expired that was not folded, among which it may have been.
   */
  private void lookAhead(long restedAt, long cutThere) {
    long told = Math.max(lastOf(there), after);
    long patience = isAheadForLong(told, restedAt) ? REST_MS : CLOCKS_MS;
    ahead = false;
    for (long number : unsettled) {
      var copy = here.get(FoldSource.MESH).get(number);
      int beyond = copy == null ? 0 : copy.countBeyond(told);
      ahead |= beyond > 0;
      if (beyond > 0 && copy.at() + patience < restedAt && copy.at() >= cutThere) {
        differences.add(
            new Difference(
                Kind.EXTRA,
                FoldSource.MESH,
                cells,
                Math.max(told + 1, copy.begin()),
                copy.last(),
                beyond));
      }
    }
  }

  /**
   * Whether the origin has not told for long of what was ahead, by its own clock alone. Whoever
   * looks but once can't know.
   */
  private boolean isAheadForLong(long told, long restedAt) {
    if (told >= awaited && restedAt > 0) {
      awaited = lastOf(here.get(FoldSource.MESH));
      awaitedAt = restedAt;
    }
    return told < awaited && awaitedAt + REST_MS < restedAt;
  }

  private static long lastOf(TreeMap<Long, Bucket> side) {
    return side.isEmpty() ? Bucket.NONE : side.lastEntry().getValue().last();
  }

  /** How far both have come; what differs takes from it. */
  private long reached() {
    return Math.min(lastOf(there), lastOf(here.get(FoldSource.MESH)));
  }

  private void compareBucket(long number, long cutHere) {
    if (after >= number * Bucket.SIZE + Bucket.SIZE - 1) {
      unsettled.remove(number);
      return;
    }
    var original = of(there, number);
    if (original == null) {
      return;
    }
    boolean settled = true;
    for (var source : FoldSource.TOPICS) {
      var copy = of(here.get(source), number);
      if (copy == null) {
        settled = false;
      } else {
        var comparison = new BucketComparison(cells, source, original, copy, after);
        note(source, number, comparison);
        settled &= comparison.settled();
      }
    }
    if (original.at() >= cutHere) {
      wait(original, cutHere);
    }
    if (settled) {
      settle(number, original);
    }
  }

  private void note(FoldSource source, long number, BucketComparison comparison) {
    if (source == FoldSource.MESH) {
      agreed += comparison.agreed();
      if (comparison.differs() || isLast(there, number) || isLast(here.get(source), number)) {
        agreedTo = Math.min(agreedTo, comparison.agreedTo());
      }
    } else {
      held += comparison.agreed();
    }
    for (var difference : comparison.differences()) {
      (difference.kind() == Kind.ABSENT ? absent : differences).add(difference);
    }
  }

  /**
   * Whether what is told ends within a bucket. One that records expired in is never completed, and
   * what is told goes on behind it.
   */
  private static boolean isLast(TreeMap<Long, Bucket> side, long number) {
    return side.higherKey(number) == null;
  }

  /**
   * Counts the cells of a bucket that the mesh topic has not reached. Of those that were written
   * before some expired there nobody can tell whether they were among these.
   */
  private void wait(Bucket original, long cutHere) {
    long arrived = lastOf(here.get(FoldSource.MESH));
    int beyond = original.countBeyond(arrived);
    if (beyond > 0) {
      waiting += beyond;
      waitingSince = Math.min(waitingSince, Math.max(cutHere, original.atBeyond(arrived)));
    }
  }

  private void settle(long number, Bucket original) {
    unsettled.remove(number);
    agreed -= original.count();
    held -= original.count();
    settledCells += original.count();
    there.computeIfPresent(number, (n, bucket) -> bucket.summary());
    here.values().forEach(of -> of.computeIfPresent(number, (n, bucket) -> bucket.summary()));
  }

  private void put(TreeMap<Long, Bucket> side, long number, Bucket bucket) {
    var known = there.get(number);
    if (unsettled.add(number) && known != null && known.isSummary()) {
      settledCells -= known.count();
    }
    if (bucket == null) {
      side.remove(number);
    } else {
      side.put(number, bucket);
    }
  }

  /**
   * A bucket; an empty one if the shard has gone beyond it without any cell of it, and null if it
   * can't be told.
   */
  static Bucket of(TreeMap<Long, Bucket> side, long number) {
    var bucket = side.get(number);
    if (bucket != null) {
      return bucket;
    }
    var next = side.higherEntry(number);
    if (next == null || next.getValue().from() > number * Bucket.SIZE) {
      return null;
    }
    var empty = new Bucket(number, next.getValue().from(), next.getValue().firstOffset());
    empty.finish();
    return empty;
  }
}
