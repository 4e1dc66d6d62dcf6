package io.cellmesh.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@link IndexBench} found.
 *
 * @param fresh for each {@link Reading} of the log; first as shipped
 * @param backfills of the whole log: one index, then three
 * @param peer the pass-through application on the same log
 * @param tables entries a second into the tables of one index
 */
public record IndexFigures(
    Surroundings surroundings,
    List<FreshFigures> fresh,
    List<Result> backfills,
    Result peer,
    Result tables,
    Queries queries) {
  public IndexFigures {
    fresh = List.copyOf(fresh);
    backfills = List.copyOf(backfills);
  }

  /** Of many times, in milliseconds. */
  public record Hop(String name, double p50, double p99) {
    static Hop of(String name, long[] nanos) {
      return new Hop(
          name, Statistics.percentile(nanos, 50) / 1e6, Statistics.percentile(nanos, 99) / 1e6);
    }
  }

  /**
   * At the client, in milliseconds.
   *
   * @param loadSeconds to bring the entries into the tables
   * @param plan how one of them is answered
   */
  public record Queries(
      int entries,
      int queries,
      double loadSeconds,
      double p50,
      double p99,
      double max,
      String server,
      int shard,
      String sql,
      String plan) {}

  public double ratio(Result backfill) {
    return backfill.cellsPerSecond() / peer.cellsPerSecond();
  }

  /** The result for machines: milliseconds, cells a second, entries a second. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", "index");
    put(document, "", fresh.get(0));
    fresh.stream()
        .skip(1)
        .forEach(other -> put(document, "from_" + name(other.log()) + "_", other));
    for (var backfill : backfills) {
      var name = name(backfill.name());
      document.put("backfill_" + name, Math.round(backfill.cellsPerSecond()));
      document.put("ratio_" + name, rounded(ratio(backfill)));
    }
    document.put("peer", Math.round(peer.cellsPerSecond()));
    document.put("tables", Math.round(tables.cellsPerSecond()));
    document.put("query_p50_ms", rounded(queries.p50()));
    document.put("query_p99_ms", rounded(queries.p99()));
    document.put("query_max_ms", rounded(queries.max()));
    return document;
  }

  private static void put(Map<String, Object> document, String prefix, FreshFigures fresh) {
    document.put(prefix + "fresh_p50_ms", rounded(fresh.percentile(50)));
    document.put(prefix + "fresh_p99_ms", rounded(fresh.percentile(99)));
    document.put(prefix + "fresh_max_ms", rounded(fresh.percentile(100)));
    document.put(prefix + "fresh_rate", Math.round(fresh.written()));
    fresh.hops().forEach(hop -> put(document, prefix + "hop_", hop));
    var last = fresh.last();
    put(document, prefix + "wakeup_", last.atRest());
    put(document, prefix + "wakeup_", last.meanwhile());
    put(document, prefix, last.yardstick());
    document.put(
        prefix + "stolen_processors", rounded(last.load().stolen() / last.load().seconds()));
  }

  private static void put(Map<String, Object> document, String prefix, Hop hop) {
    var name = prefix + name(hop.name());
    document.put(name + "_p50_ms", rounded(hop.p50()));
    document.put(name + "_p99_ms", rounded(hop.p99()));
  }

  private static String name(String text) {
    return text.replaceAll("[^a-z]+", "_");
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
