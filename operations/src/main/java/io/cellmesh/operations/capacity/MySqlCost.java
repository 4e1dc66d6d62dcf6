package io.cellmesh.operations.capacity;

/**
 * What the MySQL servers of a data centre do, on average over its clusters.
 *
 * @param statements a second on a master
 * @param asked of them, those that write nothing and belong to no put
 * @param askedOfMinions the same, a second on all minions of a cluster
 * @param statementsAtRest of them, those that are asked when no cell comes
 * @param entityCommits a second on a master: transactions with cells
 * @param copyCommits a second on a master: copies for others
 * @param reapCommits a second on a master: copies that go
 * @param reapDeletes a second on a master: statements of these, one for each primary
 * @param offsetCommits a second on a master: positions that are taken along when offsets are
 *     committed
 * @param masterCores processors that are busy
 * @param minionCores processors that are busy
 * @param entityBytes a second that a server's tables grow by
 * @param binlogBytes a second that a server's binlog grows by
 * @param bufferBytes of copies that wait on a master
 * @param openTables that the sessions of a master have in use
 */
public record MySqlCost(
    double statements,
    double asked,
    double askedOfMinions,
    double statementsAtRest,
    double entityCommits,
    double copyCommits,
    double reapCommits,
    double reapDeletes,
    double offsetCommits,
    double masterCores,
    double minionCores,
    double entityBytes,
    double binlogBytes,
    double bufferBytes,
    double openTables) {
  /** A second on a master and a task: conflicts that are untold, and what waits in the buffer. */
  private static final double ASKED = 1.2;

  /** A second on a master and a task while there are copies: how far it is, for that. */
  private static final double ASKED_FOR_COPIES = 0.2;

  /** A pass on a master and a task: what its buffer holds; with copies of it, how far it is. */
  private static final int LOOKS_AT_REST = 1;

  private static final int LOOKS = 3;

  private static final int LOOKS_AT_MINION = 4;

  /** Of a transaction that only advances positions. */
  private static final double STATEMENTS_OF_POSITION = 4;

  /** Beside its deletes: the begin and the commit. */
  private static final int STATEMENTS_OF_REAPING = 2;

  /** A second on each server: by the source's task and by its connector, three each. */
  private static final double ASKED_BY_SOURCE = 6;

  static MySqlCost of(Layout layout, Load load, SinkPace sink, ReapPace reap) {
    double clusters = layout.clusters();
    double tasks = layout.busyTasks();
    double puts = tasks * sink.puts() / clusters;
    double cells = load.stored(layout) / clusters;
    double entity = puts * sink.put().primaries();
    double copies = puts * sink.put().copyCommits();
    double passes = tasks / reap.seconds();
    double reaped = passes * reap.transactions() / clusters;
    double deletes = passes * reap.deletes() / clusters;
    var offset = OffsetPace.of(layout, load, sink);
    double positions = tasks * offset.commits() * offset.primaries() / clusters;
    double positionCopies = tasks * offset.commits() * offset.copyCommits() / clusters;
    double offsets = positions + positionCopies;
    double commits = entity + copies + reaped + offsets;
    double asked = tasks * (ASKED + ASKED_FOR_COPIES) + passes * looks(layout) + ASKED_BY_SOURCE;
    double askedOfMinion = passes * LOOKS_AT_MINION + ASKED_BY_SOURCE;
    double statements =
        puts * sink.put().statements()
            + reaped * STATEMENTS_OF_REAPING
            + deletes
            + positions * STATEMENTS_OF_POSITION
            + positionCopies
            + asked;
    double stored = load.bytes() * Coefficient.STORED.value;
    double event = stored + Coefficient.EVENT_BYTES.value;
    // A copy stands in the binlog when it comes and when it goes.
    double logged = 1 + load.copies() * (layout.minions() == 0 ? 1.0 : 2.0);
    return new MySqlCost(
        statements,
        asked,
        layout.minions() * askedOfMinion,
        tasks * (ASKED + LOOKS_AT_REST) + ASKED_BY_SOURCE,
        entity,
        copies,
        reaped,
        deletes,
        offsets,
        commits * Coefficient.MASTER_COMMIT_CPU.value
            + deletes * Coefficient.MASTER_DELETE_CPU.value
            + cells * Coefficient.MASTER_CELL_CPU.value
            + asked * Coefficient.MYSQL_ASKED_CPU.value,
        commits * Coefficient.MINION_COMMIT_CPU.value
            + cells * Coefficient.MINION_CELL_CPU.value
            + askedOfMinion * Coefficient.MYSQL_ASKED_CPU.value,
        cells * (stored + Coefficient.ROW_BYTES.value),
        cells * logged * event + commits * Coefficient.TRANSACTION_BYTES.value,
        cells * load.copies() * event * reap.seconds(),
        openTables(layout));
  }

  public double commits() {
    return entityCommits + copyCommits + reapCommits + offsetCommits;
  }

  private static int looks(Layout layout) {
    return layout.minions() == 0 ? LOOKS_AT_REST : LOOKS;
  }

  /**
   * A shard's tables are open once in each session that writes them: any of those that its task
   * keeps, and one of each index pass.
   */
  private static double openTables(Layout layout) {
    return layout.shardsOfCluster() * (Coefficient.KEPT_ON_MASTER.value + layout.passes());
  }
}
