package io.cellmesh.worker.read;

import io.cellmesh.cell.Topology.Server;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * When a read that was not answered yet is asked of a second server as well (Dean and Barroso, "The
 * Tail at Scale", 2013), and how often at most. A server is waited for as long as all but its
 * slowest recent answers took; as many as those are may be hedged, and no more. Thread-safe.
 */
final class Hedging {
  /** Most of a hundred reads of a cluster, whichever server is asked second. */
  static final int PERCENT = 5;

  /** Most of them whose second server is the master, who has the writes to do. */
  static final int PERCENT_TO_MASTER = 1;

  static final Duration SHORTEST = Duration.ofMillis(1);

  /** Also while too few answers were seen. */
  static final Duration LONGEST = Duration.ofMillis(50);

  private final ConcurrentHashMap<Kind, RecentLatencies> latencies = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Budgets> budgets = new ConcurrentHashMap<>();
  private final Map<Outcome, LongAdder> counts = new ConcurrentHashMap<>();

  /** How a hedge ended, or that there was none. */
  enum Outcome {
    /** The second server's answer was taken. */
    WON,
    /** The first server's was. */
    LOST,
    /** It would have been one too many. */
    CAPPED
  }

  /** Reads that take about as long as each other. */
  private record Kind(String server, boolean single) {}

  private record Budgets(HedgeBudget all, HedgeBudget toMaster) {
    Budgets() {
      this(new HedgeBudget(PERCENT), new HedgeBudget(PERCENT_TO_MASTER));
    }

    /** From both, or from none. */
    synchronized boolean withdraw(boolean master) {
      if (master && !toMaster.hasOne()) {
        return false;
      }
      return all.withdraw() && (!master || toMaster.withdraw());
    }
  }

  /** A read that could be hedged begins. */
  void begins(String cluster) {
    var of = budgets(cluster);
    of.all.deposit();
    of.toMaster.deposit();
  }

  /** A server answered, or was given up after so long. */
  void took(Server server, int asks, long nanos) {
    latencies(server, asks).took(nanos);
  }

  /**
   * How long a server is waited for alone.
   *
   * @param toMaster whether the master would be asked next
   */
  Duration delay(Server server, int asks, boolean toMaster) {
    int percent = 100 - (toMaster ? PERCENT_TO_MASTER : PERCENT);
    long nanos = latencies(server, asks).percentile(percent);
    return Duration.ofNanos(Math.max(SHORTEST.toNanos(), Math.min(LONGEST.toNanos(), nanos)));
  }

  /** Takes a hedge from the budget; false if there is none left. */
  boolean allows(String cluster, boolean toMaster) {
    return budgets(cluster).withdraw(toMaster);
  }

  void ended(Outcome outcome) {
    counts.computeIfAbsent(outcome, key -> new LongAdder()).increment();
  }

  /** How often each outcome was, by its name. */
  Map<String, Long> counts() {
    var all = new TreeMap<String, Long>();
    for (var outcome : Outcome.values()) {
      var count = counts.get(outcome);
      all.put(outcome.name().toLowerCase(Locale.ROOT), count == null ? 0 : count.sum());
    }
    return all;
  }

  private RecentLatencies latencies(Server server, int asks) {
    return latencies.computeIfAbsent(
        new Kind(server.address(), asks == 1), key -> new RecentLatencies());
  }

  private Budgets budgets(String cluster) {
    return budgets.computeIfAbsent(cluster, name -> new Budgets());
  }
}
