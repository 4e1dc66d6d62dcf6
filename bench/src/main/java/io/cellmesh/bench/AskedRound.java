package io.cellmesh.bench;

import java.util.List;

/**
 * What a round of questions took.
 *
 * @param seconds of the round, until its slowest thread ended
 * @param p50 in milliseconds, as the others
 */
public record AskedRound(long count, double seconds, double p50, double p99, double most) {

  static AskedRound of(List<long[]> nanos, double seconds) {
    var all = nanos.stream().flatMapToLong(java.util.Arrays::stream).toArray();
    return new AskedRound(
        all.length,
        seconds,
        Statistics.percentile(all, 50) / 1e6,
        Statistics.percentile(all, 99) / 1e6,
        Statistics.percentile(all, 100) / 1e6);
  }

  public double perSecond() {
    return count / seconds;
  }

  @Override
  public String toString() {
    return String.format(
        java.util.Locale.ROOT,
        "%,.0f/s, p50 %.2f ms, p99 %.2f ms, most %.1f ms",
        perSecond(),
        p50,
        p99,
        most);
  }
}
