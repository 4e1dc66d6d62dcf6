package io.cellmesh.operations.capacity;

/**
 * What one put of a sink task costs: a put is what a poll has brought, written together.
 *
 * @param cells of the put
 * @param primaries clusters that own some of them, each of which gets a transaction
 * @param inserts statements that insert cells: one a shard and topic that has some
 * @param copyRows rows in buffers: one a cluster, partition and topic that has cells
 * @param copies that each has
 */
public record PutCost(double cells, double primaries, double inserts, double copyRows, int copies) {

  /**
   * Computes it of cells whose rows are spread evenly.
   *
   * @param cells how many the put has
   */
  public static PutCost of(Layout layout, Load load, double cells) {
    double shards = layout.shardsOfTask();
    // Not every cluster has shards in each partition where there are few of them.
    double clusters = Math.min(layout.clusters(), shards);
    double lanes = Math.min(layout.clusters() * layout.partitionsOfTask(), shards);
    int topics = layout.ingestTopics();
    return new PutCost(
        cells,
        touched(clusters, cells),
        touched(shards * topics, cells),
        touched(lanes * topics, cells),
        load.copies());
  }

  /** How many of some boxes have something after so many throws. */
  static double touched(double boxes, double throwsOfOne) {
    return boxes <= 1
        ? Math.min(1, throwsOfOne)
        : boxes * (1 - Math.pow(1 - 1 / boxes, throwsOfOne));
  }

  /**
   * Counts statements on masters: of each primary the begin, the positions' lock, their advance and
   * the commit, and one for each of its copies.
   */
  public double statements() {
    return inserts + primaries * (4 + copies);
  }

  /**
   * Counts transactions that masters commit: one of each primary, and one for each of its copies.
   */
  public double commits() {
    return primaries * (1 + copies);
  }
}
