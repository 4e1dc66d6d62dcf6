package io.cellmesh.operations.capacity;

/**
 * What one put of a sink task costs: a put is what a poll has brought, written together.
 *
 * @param cells of the put
 * @param primaries clusters that own some of them, each of which gets a transaction
 * @param inserts statements that insert cells: one a shard and topic that has some
 * @param copyRows rows in buffers: one a cluster, partition and topic that has cells
 * @param copyCommits statements that write them, each a transaction
 */
public record PutCost(
    double cells, double primaries, double inserts, double copyRows, double copyCommits) {
  /** Of what a put has of several primaries so many bytes of bodies go to one secondary. */
  private static final double TOGETHER = 64 << 10;

  /**
   * Computes it of cells whose rows are spread evenly.
   *
   * @param cells how many the put has
   */
  public static PutCost of(Layout layout, Load load, double cells) {
    double shards = layout.shardsOfTask();
    double lanes = layout.clustersOfPartition() * layout.partitionsOfTask();
    int topics = layout.ingestTopics();
    double primaries = touched(layout.clustersOfTask(), cells);
    return new PutCost(
        cells,
        primaries,
        touched(shards * topics, cells),
        touched(lanes * topics, cells),
        copyCommits(layout, load, primaries, cells * load.bytes() * Coefficient.STORED.value));
  }

  /**
   * Counts the statements that write copies of some primaries. The secondary that is drawn for
   * several takes those of all but itself; its own go to the next.
   *
   * @param bytes of all of them
   */
  static double copyCommits(Layout layout, Load load, double primaries, double bytes) {
    double draws = Math.max(1, Math.min(primaries, bytes / TOGETHER));
    double own = layout.clusters() == 1 ? 0 : (primaries / draws - 1) / (layout.clusters() - 1);
    return load.copies() * draws * (1 + Math.max(0, own));
  }

  /** How many of some boxes have something after so many throws. */
  static double touched(double boxes, double throwsOfOne) {
    return boxes <= 1
        ? Math.min(1, throwsOfOne)
        : boxes * (1 - Math.pow(1 - 1 / boxes, throwsOfOne));
  }

  /**
   * Counts statements on masters: of each primary the begin, the positions' lock, their advance and
   * the commit, beside the inserts and the copies.
   */
  public double statements() {
    return inserts + primaries * 4 + copyCommits;
  }

  /** Counts transactions that masters commit: one of each primary, and those of copies. */
  public double commits() {
    return primaries + copyCommits;
  }
}
