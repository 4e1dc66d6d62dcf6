package io.cellmesh.stack.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How long cells took from one data centre's Kafka to another one's log, of those that a fault did
 * not strike: 99 of 100 took no longer. A cell counts when it was written, however late it came.
 *
 * @param before in the latest five minutes in which nothing was struck, nor recovering
 * @param away from the blow until the fault was begun to be mended
 * @param coming from then until all data centres agreed; where they share a machine they feel a
 *     start
 */
public record OthersHop(Duration before, Duration away, Duration coming) {
  /** So much of what is calm is compared with. */
  static final Duration BEFORE = Duration.ofMinutes(5);

  private static final double P99 = 0.99;

  /** So many times as long as before it may take: nobody is delayed by who is away. */
  public static final int AT_MOST = 2;

  /**
   * Looks at what was written meanwhile.
   *
   * @param calm before the fault
   * @param at when what happened
   * @param agreed when the data centres did, by {@link System#nanoTime}
   * @return empty if there are no two others, or they wrote nothing in one of the times
   */
  static Optional<OthersHop> of(
      List<Site> sites, Site struck, List<Calm.Span> calm, Round.Times at, long agreed) {
    var others = sites.stream().filter(site -> site != struck).toList();
    var before = p99(calm.stream().flatMap(span -> delays(others, span.begin(), span.end())));
    var away = p99(delays(others, at.blow(), at.command()));
    var coming = p99(delays(others, at.command(), agreed));
    return before.flatMap(b -> away.flatMap(a -> coming.map(c -> new OthersHop(b, a, c))));
  }

  /** How many times as long as before cells took while a data centre was away. */
  public double times() {
    return away.toNanos() / (double) Math.max(1, before.toNanos());
  }

  /** Whether who was away delayed others. */
  boolean isDelayed() {
    return times() > AT_MOST;
  }

  private static Stream<Duration> delays(List<Site> others, long from, long to) {
    return others.stream()
        .flatMap(site -> site.log().between(peersOf(site, others), from, to))
        .map(LogDelays.Arrival::delay);
  }

  private static Optional<Duration> p99(Stream<Duration> delays) {
    var sorted = delays.sorted().toList();
    return sorted.isEmpty()
        ? Optional.empty()
        : Optional.of(sorted.get((int) Math.ceil(P99 * sorted.size()) - 1));
  }

  private static Set<String> peersOf(Site site, List<Site> others) {
    return others.stream()
        .filter(other -> other != site)
        .map(Site::name)
        .collect(Collectors.toSet());
  }
}
