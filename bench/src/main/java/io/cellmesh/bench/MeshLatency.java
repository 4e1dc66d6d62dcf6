package io.cellmesh.bench;

import java.util.Locale;

/**
 * How long cells took from data centre to data centre, in milliseconds.
 *
 * @param load who used the processors meanwhile
 */
public record MeshLatency(long cells, double p50, double p99, double max, Round load) {

  static MeshLatency of(long[] nanos, Round load) {
    return new MeshLatency(
        nanos.length,
        Statistics.percentile(nanos, 50) / 1e6,
        Statistics.percentile(nanos, 99) / 1e6,
        Statistics.percentile(nanos, 100) / 1e6,
        load);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "p50 %.1f ms, p99 %.1f ms, most %.1f ms (%,d cells)", p50, p99, max, cells);
  }
}
