package io.cellmesh.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@link ShardsBench} found.
 *
 * @param counts by number of shards, in the order that was asked for
 */
public record ShardsFigures(List<Count> counts) {
  public ShardsFigures {
    counts = List.copyOf(counts);
  }

  /**
   * Ours over a number of shards.
   *
   * @param createSeconds to make the databases, on the master and its minion
   * @param firstRecordSeconds from the creation of the connector, on a worker that had none, to the
   *     first record
   * @param heap most bytes that a garbage collection left in the worker's heap
   * @param heapFull most bytes in the worker's heap, garbage and all
   * @param result its rounds
   */
  public record Count(
      double createSeconds, double firstRecordSeconds, long heap, long heapFull, Result result) {
    public int shards() {
      return result.shards();
    }
  }

  /** A rate, in terms of that over the first number of shards. */
  public double toFirst(Count count) {
    return count.result.cellsPerSecond() / counts.get(0).result.cellsPerSecond();
  }

  /** The result for machines: cells a second, seconds, MiB. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", "log-shards");
    for (var count : counts) {
      var name = "_" + count.shards();
      document.put("ours" + name, Math.round(count.result.cellsPerSecond()));
      document.put("create_s" + name, rounded(count.createSeconds));
      document.put("first_record_s" + name, rounded(count.firstRecordSeconds));
      document.put("heap_mib" + name, count.heap >> 20);
    }
    return document;
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
