package io.cellmesh.cell.proof;

import io.cellmesh.cell.proof.Difference.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares a bucket of the origin's log with the same one of a data centre that has its cells from
 * there: up to where both have come, whole blocks by their sums, and each id by itself.
 */
final class BucketComparison {
  private final OriginShard cells;
  private final FoldSource source;
  private final Bucket there;
  private final Bucket here;
  private final long start;
  private final long limit;

  /** Whether both have come exactly as far. */
  private final boolean even;

  private final Found missing = new Found();
  private final Found extra = new Found();
  private final Found changed = new Found();
  private long agreed;

  /** Ids of one kind. */
  private static final class Found {
    private long first = Bucket.NONE;
    private long last = Bucket.NONE;
    private long count;

    void add(long from, long to, long more) {
      if (first == Bucket.NONE) {
        first = from;
      }
      last = to;
      count += more;
    }

    /** Of a block that begins with an id. */
    void bits(long begin, long bits) {
      if (bits != 0) {
        add(
            begin + Long.numberOfTrailingZeros(bits),
            begin + Bucket.BLOCK - 1 - Long.numberOfLeadingZeros(bits),
            Long.bitCount(bits));
      }
    }
  }

  /**
   * @param after the highest origin_id that is not compared
   */
  BucketComparison(OriginShard cells, FoldSource source, Bucket there, Bucket here, long after) {
    this.cells = cells;
    this.source = source;
    this.there = there;
    this.here = here;
    this.start = Math.max(after + 1, Math.max(there.from(), here.from()));
    this.limit = Math.min(reach(there), reach(here));
    this.even = reach(there) == reach(here);
    if (there.isSummary() || here.isSummary()) {
      summaries();
    } else {
      for (int block = 0; block < Bucket.BLOCKS; block++) {
        block(block);
      }
    }
  }

  /** The highest origin_id that can't come into it any more, unless late. */
  static long reach(Bucket bucket) {
    return bucket.complete() ? bucket.end() : bucket.last();
  }

  /** Whether nothing remains to be compared, and nothing differs. */
  boolean settled() {
    return there.complete()
        && here.complete()
        && start <= there.begin()
        && !differs()
        && here.inverted() == 0;
  }

  /** Whether some cells are not the same. */
  boolean differs() {
    return missing.count + extra.count + changed.count > 0;
  }

  /** Cells that were found the same. */
  long agreed() {
    return agreed;
  }

  /** The highest origin_id up to which all is known to agree; below its begin if none is. */
  long agreedTo() {
    long to = even ? limit : Bucket.endOfBlocks(limit);
    for (var found : List.of(missing, extra, changed)) {
      if (found.count > 0) {
        to = Math.min(to, found.first - 1);
      }
    }
    return to;
  }

  /** What differs, and what is absent from the log. */
  List<Difference> differences() {
    var differences = new ArrayList<Difference>();
    add(differences, source == FoldSource.LOG ? Kind.ABSENT : Kind.MISSING, missing);
    add(differences, Kind.EXTRA, extra);
    add(differences, Kind.CHANGED, changed);
    if (here.inverted() > 0) {
      differences.add(
          new Difference(
              Kind.INVERTED,
              source,
              cells,
              here.firstInverted(),
              here.inverted() == 1 ? here.firstInverted() : here.last(),
              here.inverted()));
    }
    return differences;
  }

  private void add(List<Difference> differences, Kind kind, Found found) {
    if (found.count > 0) {
      differences.add(new Difference(kind, source, cells, found.first, found.last, found.count));
    }
  }

  private void block(int block) {
    long begin = there.begin() + (long) block * Bucket.BLOCK;
    long end = begin + Bucket.BLOCK - 1;
    if (end < start || begin > limit) {
      return;
    }
    long reached = bits(Math.max(begin, start) - begin, Math.min(end, limit) - begin);
    long ours = here.seen(block) & reached;
    long theirs = there.seen(block) & reached;
    missing.bits(begin, theirs & ~ours);
    extra.bits(begin, ours & ~theirs);
    boolean sameStart = start == there.from() && start == here.from();
    boolean whole = (end <= limit || even) && (begin >= start || sameStart);
    if (ours == theirs && whole) {
      if (there.sum(block) == here.sum(block)) {
        agreed += Long.bitCount(ours);
      } else {
        changed.add(begin, end, 1);
      }
    }
  }

  /** The bits from one to another one, both of them in it. */
  private static long bits(long from, long to) {
    return -1L << from & -1L >>> Long.SIZE - 1 - to;
  }

  /** What was equal once and has been written again. */
  private void summaries() {
    int more = here.count() - there.count();
    if (there.digest().equals(here.digest())) {
      agreed = there.count();
    } else if (more == 0) {
      changed.add(there.begin(), there.end(), Bucket.BLOCKS);
    } else {
      (more > 0 ? extra : missing).add(there.begin(), there.end(), Math.abs(more));
    }
  }
}
