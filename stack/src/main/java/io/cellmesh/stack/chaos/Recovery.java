package io.cellmesh.stack.chaos;

import io.cellmesh.connect.client.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Tells from the delays of single cells how long a fault was felt. A cell is late when two seconds
 * after its acknowledgement, ten where there are several data centres, it is not in the tables, or
 * not in the log of each data centre; five and ten if it is not in the index or the trigger was not
 * called with it. So is a call of a worker that has no answer for two seconds, or ten.
 */
final class Recovery {
  private static final Duration LATE = Duration.ofSeconds(2);

  /** On one machine several data centres take their time without any fault. */
  private static final Duration LATE_AMONG_PEERS = Duration.ofSeconds(10);

  /** An index and a trigger follow the log. */
  private static final Duration LATE_BEHIND_LOG = Duration.ofSeconds(5);

  /** A cell that waits longer, after all patience, waits for something that is not back. */
  private static final Duration STUCK = Duration.ofSeconds(30);

  /**
   * For so long they are waited for. Where a machine can do little more they are at work on what
   * came meanwhile; that all arrives there is looked at when no more comes.
   */
  private static final Duration PATIENCE_BEHIND_LOG = Duration.ofSeconds(30);

  /** For so much longer than it takes to be late after a blow nothing was late. */
  private static final Duration CALM = Duration.ofSeconds(1);

  private static final Duration LOOK = Duration.ofMillis(25);

  private final List<Site> sites;

  /** They start beside the first cells, and count from when they have caught up. */
  private boolean followsLog;

  Recovery(List<Site> sites) {
    this.sites = sites;
  }

  /**
   * Waits until cells have been in time for a while.
   *
   * @param since by {@link System#nanoTime}
   * @param says told what is late, if something is
   * @return how long after that the last one was late; all of the time if they come, but the
   *     machine is too slow for them to be in time
   * @throws NotRecoveredException if one still is not there when the time is over
   */
  Duration await(long since, Duration patience, Consumer<String> says)
      throws InterruptedException, NotRecoveredException {
    var late = new AtomicLong(since);
    var lateBeforeLog = new AtomicLong(since);
    var left = patience.minusNanos(System.nanoTime() - since);
    boolean calm =
        Waiting.within(
            left,
            LOOK,
            () -> {
              var oldest = oldest();
              long now = System.nanoTime();
              if (oldest.exceeds(late())) {
                lateBeforeLog.set(now);
              }
              boolean behind = oldest.isBehindLog(lateBehindLog());
              followsLog |= !behind && readers().allMatch(Readers::haveBegun);
              boolean waits = now - lateBeforeLog.get() < PATIENCE_BEHIND_LOG.toNanos();
              if (lateBeforeLog.get() == now || behind && followsLog && waits) {
                late.set(now);
                says.accept(oldest.text());
              }
              return System.nanoTime() - late.get() >= late().plus(CALM).toNanos();
            });
    if (!calm && oldest().exceeds(STUCK)) {
      throw new NotRecoveredException(
          "after %d s cells still do not come: %s"
              .formatted(patience.toSeconds(), oldest().text()));
    }
    return Duration.ofNanos(late.get() - since);
  }

  private Duration late() {
    return sites.size() == 1 ? LATE : LATE_AMONG_PEERS;
  }

  private Duration lateBehindLog() {
    return sites.size() == 1 ? LATE_BEHIND_LOG : LATE_AMONG_PEERS;
  }

  private Oldest oldest() {
    return new Oldest(
        longest(sites.stream().map(site -> site.visibility().oldest())),
        longest(sites.stream().map(site -> site.log().oldest())),
        longest(readers().map(all -> all.sessions().oldest())),
        longest(readers().map(Readers::oldestForIndex)),
        longest(readers().map(Readers::oldestForTrigger)));
  }

  private Stream<Readers> readers() {
    return sites.stream().flatMap(site -> site.readers().stream());
  }

  private static Duration longest(Stream<Duration> waits) {
    return waits.max(Duration::compareTo).orElse(Duration.ZERO);
  }

  /** How long the oldest cell, or call, has waited for each of them. */
  private record Oldest(
      Duration forTables,
      Duration forLog,
      Duration forWorker,
      Duration forIndex,
      Duration forTrigger) {
    boolean exceeds(Duration limit) {
      return forTables.compareTo(limit) >= 0
          || forLog.compareTo(limit) >= 0
          || forWorker.compareTo(limit) >= 0;
    }

    /** Whether what follows the log is late. */
    boolean isBehindLog(Duration limit) {
      return forIndex.compareTo(limit) >= 0 || forTrigger.compareTo(limit) >= 0;
    }

    String text() {
      return String.format(
          Locale.ROOT,
          "the oldest cell waits for %.1f s for the tables, %.1f s for the log, %.1f s for the index, %.1f s for the trigger, a call for %.1f s for the worker",
          forTables.toMillis() / 1e3,
          forLog.toMillis() / 1e3,
          forIndex.toMillis() / 1e3,
          forTrigger.toMillis() / 1e3,
          forWorker.toMillis() / 1e3);
    }
  }

  /** Cells stay late. */
  static final class NotRecoveredException extends Exception {
    private static final long serialVersionUID = 1L;

    NotRecoveredException(String message) {
      super(message);
    }
  }
}
