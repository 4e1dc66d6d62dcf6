package io.cellmesh.operations.capacity;

/**
 * What it costs a sink task that its offsets are committed: lanes that had no cell of the last put
 * say in a copy without cells, and in a transaction, how far they were read.
 *
 * @param commits of offsets a second
 * @param primaries that have such lanes then, each of which gets a transaction
 * @param copyCommits statements that write their copies
 * @param rows of these copies
 */
record OffsetPace(double commits, double primaries, double copyCommits, double rows) {
  /**
   * {@code offset.flush.interval.ms} of a Connect worker, as Cellmesh ships it, in seconds; Kafka's
   * own is a minute.
   */
  private static final double FLUSH = 5;

  /** Links have the sink commit whenever a partition of the mesh has so many new records. */
  private static final double PART_OF_A_WINDOW = 100;

  private static final double MOST_FOR_LINKS = 10;

  static OffsetPace of(Layout layout, Load load, SinkPace sink) {
    double mesh = (layout.datacenters() - 1) * load.rate() / layout.shards().partitions();
    double commits = Math.max(1 / FLUSH, Math.min(MOST_FOR_LINKS, mesh / PART_OF_A_WINDOW));
    double partitions = layout.partitionsOfTask() * layout.ingestTopics();
    double clusters = layout.clusters();
    double moved = PutCost.touched(partitions, sink.puts() * sink.put().cells() / commits);
    double idle = Math.pow(1 - 1 / clusters, Math.max(1, sink.put().cells() / partitions));
    double primaries = clusters * (1 - Math.pow(1 - idle, moved));
    return new OffsetPace(
        commits,
        primaries,
        Math.min(1, primaries) * PutCost.copyCommits(layout, load, primaries, 0),
        clusters * moved * idle);
  }
}
