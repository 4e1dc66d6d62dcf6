package io.cellmesh.operations.capacity;

import java.time.Duration;

/**
 * How a sink task lets copies go: once a pass it looks at every buffer, and lets go from each in
 * one transaction what may go, by a statement for each primary.
 *
 * @param seconds from one pass to the next; copies stay about so long
 * @param transactions of a pass: one of each secondary that has something, more where it has much
 * @param deletes of a pass, the statements of these
 * @param looks statements of a pass that delete nothing
 */
public record ReapPace(double seconds, double transactions, double deletes, double looks) {
  /** {@code buffer.reap.interval.ms} of the shipped connector. */
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** Of each buffer: what it holds. */
  private static final int LOOKS_AT_BUFFER = 1;

  /** Of each server of a primary that has copies somewhere: its positions and its transactions. */
  private static final int LOOKS_AT_SERVER = 2;

  /** Of each minion also whether it replicates everything. */
  private static final int CHECKS_OF_MINION = 2;

  /** Copies of a transaction. */
  private static final double ROWS = 1000;

  /** One waits for the other. */
  private static final double LOOK_SECONDS =
      Coefficient.ASKED_CPU.value + Coefficient.MYSQL_ASKED_CPU.value;

  private static final int STEPS = 100;

  /** Without minions no copy goes, and none is looked for. */
  static ReapPace of(Layout layout, Load load, SinkPace sink, Limits limits) {
    double clusters = layout.clusters();
    if (layout.minions() == 0) {
      return new ReapPace(INTERVAL.toSeconds(), 0, 0, clusters * LOOKS_AT_BUFFER);
    }
    double looks =
        clusters
            * (LOOKS_AT_BUFFER
                + LOOKS_AT_SERVER * (1.0 + layout.minions())
                + CHECKS_OF_MINION * layout.minions());
    var offset = OffsetPace.of(layout, load, sink);
    double rows =
        (sink.puts() * sink.put().copyRows() + offset.commits() * offset.rows()) * load.copies();
    // What a statement brings of a primary lies together, of however many partitions it is.
    double ofCells = sink.puts() * sink.put().primaries() * load.copies();
    double ofPositions =
        offset.commits() * Math.min(offset.primaries(), offset.rows()) * load.copies();
    double pairs = ofCells + ofPositions;
    // Cells are of those primaries alone that have shards in the task's partitions.
    double own = layout.clustersOfTask();
    double others = clusters - own;
    double secondaries =
        Math.min(
            pairs,
            sink.puts() * sink.put().copyCommits() + offset.commits() * offset.copyCommits());
    double pass = INTERVAL.toSeconds();
    double transactions = 0;
    double deletes = 0;
    for (int i = 0; i < STEPS; i++) {
      double full = rows * pass / ROWS;
      transactions = Math.max(PutCost.touched(clusters, secondaries * pass), full);
      double ofOwn = (ofCells + ofPositions * own / clusters) * pass;
      double ofOthers = ofPositions * others / clusters * pass;
      deletes =
          Math.max(
              PutCost.touched(own * (clusters - 1), ofOwn)
                  + PutCost.touched(others * (clusters - 1), ofOthers),
              full);
      double next =
          INTERVAL.toSeconds()
              + looks * LOOK_SECONDS
              + transactions * (LOOK_SECONDS + limits.commitMillis() / 1000)
              + deletes * Coefficient.MASTER_DELETE_CPU.value;
      pass = (pass + next) / 2;
    }
    return new ReapPace(pass, transactions, deletes, looks);
  }
}
