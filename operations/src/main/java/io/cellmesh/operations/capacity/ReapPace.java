package io.cellmesh.operations.capacity;

import java.time.Duration;

/**
 * How a sink task lets copies go: once a pass it looks at every buffer, and deletes by cluster,
 * partition and topic what may go, one delete after another.
 *
 * @param seconds from one pass to the next; copies stay about so long
 * @param deletes of a pass
 * @param looks statements of a pass that delete nothing
 */
public record ReapPace(double seconds, double deletes, double looks) {
  /** {@code buffer.reap.interval.ms} of the shipped connector. */
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** Of each buffer: what it holds. */
  private static final int LOOKS_AT_BUFFER = 1;

  /** Of each server of a primary that has copies somewhere: its positions and its transactions. */
  private static final int LOOKS_AT_SERVER = 2;

  /** Of each minion also whether it replicates everything. */
  private static final int CHECKS_OF_MINION = 2;

  private static final double LOOK_SECONDS = 0.5e-3;
  private static final int STEPS = 100;

  /** Without minions no copy goes, and none is looked for. */
  static ReapPace of(Layout layout, Load load, SinkPace sink, Limits limits) {
    if (layout.minions() == 0) {
      return new ReapPace(INTERVAL.toSeconds(), 0, (double) layout.clusters() * LOOKS_AT_BUFFER);
    }
    double looks =
        layout.clusters()
            * (LOOKS_AT_BUFFER
                + LOOKS_AT_SERVER * (1.0 + layout.minions())
                + CHECKS_OF_MINION * layout.minions());
    var offset = OffsetPace.of(layout, load, sink);
    double rows =
        (sink.puts() * sink.put().copyRows() + offset.commits() * offset.rows()) * load.copies();
    double groups =
        (double) layout.clusters()
            * (layout.clusters() - 1)
            * layout.partitionsOfTask()
            * layout.ingestTopics();
    double pass = INTERVAL.toSeconds();
    double deletes = 0;
    for (int i = 0; i < STEPS; i++) {
      deletes = PutCost.touched(groups, rows * pass);
      pass =
          (pass
                  + INTERVAL.toSeconds()
                  + looks * LOOK_SECONDS
                  + deletes * (LOOK_SECONDS + limits.commitMillis() / 1000))
              / 2;
    }
    return new ReapPace(pass, deletes, looks);
  }

  /** Deletes a second, each a transaction. */
  double deletesPerSecond() {
    return deletes / seconds;
  }
}
