package io.cellmesh.stack.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How long cells took from one data centre's Kafka to another one's log, of those that a fault did
 * not strike: 99 of 100 took no longer.
 *
 * @param before in the five minutes before it
 * @param during while it lasted
 */
public record OthersHop(Duration before, Duration during) {
  private static final Duration BEFORE = Duration.ofMinutes(5);
  private static final double P99 = 0.99;

  /**
   * Looks at what came meanwhile.
   *
   * @param blow when it began, by {@link System#nanoTime}
   * @param back when it was mended
   * @return empty if there are no two others, or none of their cells came
   */
  static Optional<OthersHop> of(List<Site> sites, Site struck, long blow, long back) {
    var others = sites.stream().filter(site -> site != struck).toList();
    var before = p99(others, blow - BEFORE.toNanos(), blow);
    var during = p99(others, blow, back);
    return before.flatMap(b -> during.map(d -> new OthersHop(b, d)));
  }

  private static Optional<Duration> p99(List<Site> others, long from, long to) {
    var delays =
        others.stream()
            .flatMap(site -> site.log().between(peersOf(site, others), from, to))
            .map(LogDelays.Arrival::delay)
            .sorted()
            .toList();
    return delays.isEmpty()
        ? Optional.empty()
        : Optional.of(delays.get((int) Math.ceil(P99 * delays.size()) - 1));
  }

  private static Set<String> peersOf(Site site, List<Site> others) {
    return others.stream()
        .filter(other -> other != site)
        .map(Site::name)
        .collect(Collectors.toSet());
  }
}
