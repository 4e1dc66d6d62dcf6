package io.cellmesh.bench;

import java.util.Locale;

/**
 * From the commit to a consumer of the log, in milliseconds.
 *
 * @param name what was measured
 * @param rate cells a second that were asked for
 * @param written cells a second that there were
 * @param early cells that the consumer had before the client knew of the commit; they count as 0
 * @param load who used the processors meanwhile
 */
public record LiveFigures(
    String name,
    int rate,
    double written,
    long cells,
    double p50,
    double p99,
    double max,
    long early,
    Round load) {

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s at %,d cells/s: p50 %.1f ms, p99 %.1f ms, most %.1f ms",
        name,
        rate,
        p50,
        p99,
        max);
  }
}
