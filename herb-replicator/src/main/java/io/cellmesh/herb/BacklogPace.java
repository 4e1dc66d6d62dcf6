package io.cellmesh.herb;

import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * Says how fast a link is to bring a backlog, so that it takes but a share of what this data centre
 * can do while others' cells come, too: its own, or another peer's (invariant 9). Windows and turns
 * bound what stands in front of them; this leaves them processors and disks.
 *
 * <p>What can be done is measured: the link brings as much as the sink passes, for some seconds and
 * until all windows have been filled once, at first until that becomes no more, for a sink that has
 * just been started is slow; and then keeps to its share of that for two minutes, or for ten once
 * that has made the backlog smaller, or where a log is rebuilt faster than anybody brings it, then
 * for twice as long each time, up to an hour: what is late while it is measured must be few. It is
 * held to no pace where nobody else's cells come, where its backlog is less than what windows hold
 * or is brought within two minutes of its beginning, or five if an outage has left it, unless that
 * is a rebuilt log, where the sink is not what it waits for, and where it has fallen behind further
 * since it was held last, until it has made up for that or its peer writes no more than a part of
 * the pace: so it always catches up. What the peer writes while it is held is no backlog: the link
 * brings that, and its share of what is left; where that is more than the sink was seen to pass, it
 * is measured again after half a minute. A peer that writes half as much again as the sink has
 * passed within the hour, or more, is held, too: nobody would catch up with it as long as it does.
 * What the sink passes just now does not decide that, for it may be little because processors are
 * full; nor does anything in the first five minutes of a run. A rebuilt log alone is judged at
 * once, by what the sink passes now. Not thread-safe.
 */
final class BacklogPace {
  /** Measured over so long at least: the sink commits several times within it. */
  private static final long MEASURED_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** And at most, where in that time less than all windows hold has come. */
  private static final long MOST_MEASURED_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** A backlog that is brought so soon is not held: all agree again the sooner. */
  private static final long SOON_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** The same of one with which a run began: then it, or its peer, was away, as after an outage. */
  private static final long SOON_AFTER_OUTAGE_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** A run knows the end of its peer's log by then; what comes later came while it ran. */
  private static final long JOINING_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** So soon after the first end that is known those of all partitions are. */
  private static final long BEGINNING_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A sink that passes so many times as much as in the measurement before is not warm yet. */
  private static final double WARMS = 1.25;

  /** Whether a backlog grows is seen over so long: its end is asked for every few seconds. */
  private static final long GROWTH_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * What a peer is seen to write may be half as much again as what it writes: its end is known as
   * it was up to five seconds ago, of the ten over which growth is seen.
   */
  private static final double TOO_MUCH = 1.5;

  /** How long a run lasts before what its sink was seen to pass is the most that it can. */
  private static final long SETTLED_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** What the sink has passed says for so long that it may do so again. */
  private static final long BEST_NANOS = TimeUnit.HOURS.toNanos(1);

  /** What it passes is seen over so long, while the link brings all it can. */
  private static final long RATED_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** It is measured again after so long: what the machines can do changes. */
  private static final long HELD_NANOS = TimeUnit.MINUTES.toNanos(2);

  /**
   * The same once it has become less far behind while it was held, or where it can't while a log is
   * rebuilt; then twice as long each time.
   */
  private static final long LONG_HELD_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** That a machine can do less is seen at once, so this is how long it may do more in vain. */
  private static final long LONGEST_HELD_NANOS = TimeUnit.HOURS.toNanos(1);

  /**
   * So soon it is measured again where the peer writes a little more than was measured: perhaps
   * that was little because much else was done just then.
   */
  private static final long SHORT_HELD_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** How soon it is seen that the pace can't be kept. */
  private static final long CHECKED_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final double share;
  private final long windows;
  private Seen first;
  private Seen last;

  /** What was seen when the end of the log was known; null before. */
  private Seen known;

  /** Whether the present backlog was there when the run began. */
  private boolean outage;

  private long othersAt;
  private boolean others;
  private OptionalDouble pace = OptionalDouble.empty();

  /** What the sink was seen to pass in a second when the pace was made of it. */
  private double passed;

  /** The same of the measurement before, of a backlog that has not been held yet; else 0. */
  private double cold;

  /** The most that the link was seen to bring in a second, held to no pace, and when. */
  private double best;

  private long bestAt;

  /** What was seen when the present look at what it brings so began; null while it is held. */
  private Seen rated;

  /** What was seen when the present measurement, or the present check, began; null without one. */
  private Seen since;

  /** What was seen when the present backlog began to delay others; null before. */
  private Seen begun;

  private long heldAt;
  private long heldFor = HELD_NANOS;

  /**
   * How many records were unread when the link was held last; it has to get below that. How many of
   * them are the peer's own is an estimate, which changes by more than is brought in minutes.
   */
  private long least = Long.MAX_VALUE;

  /**
   * @param share of what the sink passes: above 0, up to 1, which holds nothing
   * @param windows cells in all windows of the link
   */
  BacklogPace(double share, long windows) {
    this.share = share;
    this.windows = windows;
  }

  /**
   * A link as it was seen.
   *
   * @param now as {@link System#nanoTime} tells it
   * @param unread records of the peer's log
   * @param own which part of such records are cells that the link brings, 0 to 1
   * @param brought cells, since it began
   * @param rebuilt whether these are of a rebuild of the peer's log now: old ones, of which most
   *     are here
   * @param work in its windows, since it began
   */
  record Seen(
      long now, long unread, double own, long brought, boolean rebuilt, MeshWindow.Work work) {
    /** Cells that are to be brought. */
    private long behind() {
      return Math.round(own * unread);
    }

    private double perSecond(Seen before) {
      return (brought - before.brought) * 1e9 / (now - before.now);
    }

    /** What the peer has written a second meanwhile, of its own. */
    private double written(Seen before) {
      return perSecond(before) + own * (unread - before.unread) * 1e9 / (now - before.now);
    }
  }

  /**
   * Looks at the link, about once a second.
   *
   * @return the cells a second that it is to keep to from now on; empty: as many as come
   */
  OptionalDouble look(Seen seen) {
    noteOutage(seen);
    noteOthers(seen);
    noteBest(seen);
    if (seen.behind() <= windows) {
      free();
      least = Long.MAX_VALUE;
      forget();
    } else if (share >= 1 || !others) {
      free();
      forget();
    } else if (pace.isPresent()) {
      check(seen);
    } else {
      measure(seen);
    }
    last = seen;
    return pace;
  }

  private void noteOutage(Seen seen) {
    first = first == null ? seen : first;
    if (known == null && (seen.unread > 0 || seen.now - first.now >= JOINING_NANOS)) {
      known = seen;
    }
    boolean begins = known != null && seen.now - known.now <= BEGINNING_NANOS;
    outage = seen.behind() > windows && (outage || begins);
  }

  private long soon() {
    return outage ? SOON_AFTER_OUTAGE_NANOS : SOON_NANOS;
  }

  private void noteOthers(Seen seen) {
    if (last != null && seen.work.others() > last.work.others()) {
      othersAt = seen.now;
      others = true;
    } else if (others && seen.now - othersAt > Alone.COME_NANOS) {
      others = false;
    }
  }

  private void noteBest(Seen seen) {
    if (pace.isPresent()) {
      rated = null;
    } else if (rated == null) {
      rated = seen;
    } else if (seen.now - rated.now >= RATED_NANOS) {
      double brings = seen.perSecond(rated);
      if (brings >= best || seen.now - bestAt >= BEST_NANOS) {
        best = brings;
        bestAt = seen.now;
      }
      rated = seen;
    }
  }

  /** Only a link that waits for the sink all the time brings as much as that passes. */
  private void measure(Seen seen) {
    if (last == null || seen.work.waits() == last.work.waits()) {
      since = null;
    } else if (since == null) {
      since = seen;
      begun = begun == null ? seen : begun;
    } else if (isMeasured(seen)) {
      hold(seen, seen.perSecond(since));
    }
  }

  private void hold(Seen seen, double passed) {
    boolean known = seen.now - since.now >= GROWTH_NANOS;
    boolean harmless = known && (shrinks(seen, share * passed) || outruns(seen, passed));
    if (isWarming(seen, passed)) {
      cold = passed;
      since = seen;
    } else if (passed > 0 && !isSoonOver(seen, passed) && (seen.unread < least || harmless)) {
      pace = OptionalDouble.of(share * passed);
      this.passed = passed;
      heldAt = seen.now;
      least = seen.unread;
      if (known) {
        keepUp(seen);
      }
      since = seen;
    } else if (known) {
      since = seen;
    }
  }

  /** Two minutes at most: then a backlog that is not over is long. */
  private boolean isWarming(Seen seen, double passed) {
    return least == Long.MAX_VALUE && passed > WARMS * cold && seen.now - begun.now <= SOON_NANOS;
  }

  /** Whether the backlog is over some minutes after it began to delay others. */
  private boolean isSoonOver(Seen seen, double passed) {
    double left = seen.behind() * 1e9 / passed;
    return !seen.rebuilt && least == Long.MAX_VALUE && seen.now - begun.now + left <= soon();
  }

  /** Whether the peer writes much less than that, so far as its ends are known, which are late. */
  private boolean shrinks(Seen seen, double pace) {
    return seen.written(since) < pace / 2;
  }

  /** Whether the peer surely writes more than the sink can pass. */
  private boolean outruns(Seen seen, double passed) {
    double most = seen.rebuilt ? passed : Math.max(passed, best);
    boolean settled = seen.rebuilt || seen.now - first.now >= SETTLED_NANOS;
    return settled && seen.written(since) >= TOO_MUCH * most;
  }

  /**
   * A moment in which little came, such as the first one of a flood, must not count for minutes.
   */
  private boolean isMeasured(Seen seen) {
    long took = seen.now - since.now;
    return took >= MOST_MEASURED_NANOS
        || took >= MEASURED_NANOS && seen.brought - since.brought >= windows;
  }

  /** A pace that can't be kept says that the sink passes less than it did. */
  private void check(Seen seen) {
    boolean kept = true;
    boolean outrun = true;
    if (seen.now - since.now >= CHECKED_NANOS) {
      kept = seen.perSecond(since) >= pace.getAsDouble() / 2;
      outrun = outruns(seen, passed);
      keepUp(seen);
      since = seen;
    }
    boolean lasting = seen.unread < least || outrun && seen.rebuilt;
    boolean over =
        seen.now - heldAt >= (lasting ? heldFor : outrun ? HELD_NANOS : SHORT_HELD_NANOS);
    if (!kept || over) {
      long next =
          heldFor == HELD_NANOS ? LONG_HELD_NANOS : Math.min(2 * heldFor, LONGEST_HELD_NANOS);
      free();
      heldFor = kept && lasting ? next : HELD_NANOS;
    }
  }

  /**
   * A pace below what the peer writes would have its fresh cells wait, too. What it writes much
   * faster than anybody could bring it is none of those.
   */
  private void keepUp(Seen seen) {
    double fresh = outruns(seen, passed) ? 0 : Math.max(0, seen.written(since));
    pace = OptionalDouble.of(fresh + share * Math.max(0, passed - fresh));
  }

  private void forget() {
    begun = null;
    cold = 0;
  }

  private void free() {
    pace = OptionalDouble.empty();
    since = null;
    heldFor = HELD_NANOS;
  }
}
