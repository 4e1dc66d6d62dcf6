package io.cellmesh.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@link IndexBench} found.
 *
 * @param backfills of the whole log: one index, then three
 * @param peer the pass-through application on the same log
 * @param tables entries a second into the tables of one index
 */
public record IndexFigures(
    Surroundings surroundings,
    Fresh fresh,
    List<Result> backfills,
    Result peer,
    Result tables,
    Queries queries) {
  public IndexFigures {
    backfills = List.copyOf(backfills);
  }

  /**
   * From the return of a cell's commit to its entries, in milliseconds.
   *
   * @param rate cells a second that were asked for
   * @param written cells a second that there were
   * @param sampled entries that were watched
   * @param hops where the time goes, in the order of the way
   * @param wakeups how late threads woke up, with the machine at rest and meanwhile
   * @param load of the processors meanwhile
   */
  public record Fresh(
      int rate,
      double written,
      int sampled,
      double p50,
      double p99,
      double max,
      List<Hop> hops,
      List<Hop> wakeups,
      Round load) {
    public Fresh {
      hops = List.copyOf(hops);
      wakeups = List.copyOf(wakeups);
    }
  }

  /** A part of the way, in milliseconds. */
  public record Hop(String name, double p50, double p99) {}

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
    document.put("fresh_p50_ms", rounded(fresh.p50()));
    document.put("fresh_p99_ms", rounded(fresh.p99()));
    document.put("fresh_max_ms", rounded(fresh.max()));
    document.put("fresh_rate", Math.round(fresh.written()));
    fresh.hops().forEach(hop -> put(document, "hop_", hop));
    fresh.wakeups().forEach(late -> put(document, "wakeup_", late));
    document.put("stolen_processors", rounded(fresh.load().stolen() / fresh.load().seconds()));
    for (var backfill : backfills) {
      var name = backfill.name().replaceAll("[^a-z]+", "_");
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

  private static void put(Map<String, Object> document, String prefix, Hop hop) {
    var name = prefix + hop.name().replaceAll("[^a-z]+", "_");
    document.put(name + "_p50_ms", rounded(hop.p50()));
    document.put(name + "_p99_ms", rounded(hop.p99()));
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
