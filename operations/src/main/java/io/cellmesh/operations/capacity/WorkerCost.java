package io.cellmesh.operations.capacity;

/**
 * What one Connect worker has, of those that share the connectors of a data centre evenly.
 *
 * @param connections to MySQL that are kept
 * @param connectionsMost of its pools, full
 * @param threads at most
 * @param files open, with full pools
 * @param heap live bytes
 * @param heapMost with what all tasks may have on the way while there is a backlog
 * @param cores processors that are busy
 */
public record WorkerCost(
    double connections,
    double connectionsMost,
    double threads,
    double files,
    double heap,
    double heapMost,
    double cores) {
  private static final double MIB = 1 << 20;
  private static final int POOLS_THREAD = 1;

  /** {@code fetch.max.bytes} of a consumer. */
  private static final double FETCHED = 50 * MIB;

  /** {@code max.partition.fetch.bytes} of the shipped sink. */
  private static final double FETCHED_OF_PARTITION = 5 * MIB;

  /** A batch's records, cells, copies and statements, all of them in memory at once. */
  private static final double BATCH = 30 * MIB;

  static WorkerCost of(Layout layout, Load load, SinkPace sink, MySqlCost mysql) {
    var master = Connections.toMaster(layout);
    var minion = Connections.toMinion(layout);
    double clusters = layout.clusters();
    double minions = clusters * layout.minions();
    double tasks = layout.busyTasks();
    double all = tasks + layout.passes();
    double kept =
        clusters * (master.sink() + master.index() + master.source())
            + minions * minion.sink()
            + (layout.minions() == 0 ? 0 : clusters * minion.source())
            + Math.max(0, minions - clusters) * Connections.MONITORS;
    double most =
        kept
            + clusters * (master.sinkMost() - master.sink() + master.indexMost() - master.index())
            + minions * (minion.sinkMost() - minion.sink());
    // One looks after a task's pools; a put has one for each primary and each statement of copies.
    double own = Coefficient.TASK_THREADS.value + POOLS_THREAD;
    double threads =
        tasks * (own + clusters + Math.max(2 * load.copies(), sink.put().copyCommits()))
            + layout.passes() * (own + clusters)
            + clusters * Coefficient.SOURCE_THREADS.value;
    double files =
        all * Coefficient.TASK_FILES.value + clusters * Coefficient.SOURCE_FILES.value + most;
    double heap =
        all * Coefficient.TASK_HEAP.value
            + clusters * Coefficient.SOURCE_HEAP.value
            + kept * Coefficient.CONNECTION_HEAP.value;
    double way =
        Math.min(FETCHED, FETCHED_OF_PARTITION * layout.partitionsOfTask() * layout.ingestTopics())
            + BATCH;
    double cores =
        tasks
                * sink.puts()
                * (Coefficient.PUT_CPU.value
                    + sink.put().primaries() * Coefficient.PRIMARY_CPU.value
                    + sink.put().cells() * Coefficient.CELL_CPU.value)
            + load.stored(layout) * Coefficient.SOURCE_CELL_CPU.value
            + clusters
                * (mysql.commits() * Coefficient.SOURCE_TRANSACTION_CPU.value
                    + (mysql.asked() + mysql.askedOfMinions() + mysql.reapCommits())
                        * Coefficient.ASKED_CPU.value);
    int workers = layout.connectWorkers();
    double live = Coefficient.WORKER_HEAP.value + heap / workers;
    return new WorkerCost(
        kept / workers,
        most / workers,
        Coefficient.WORKER_THREADS.value + threads / workers,
        Coefficient.WORKER_FILES.value + files / workers,
        live,
        live + all * way / workers,
        Coefficient.WORKER_CPU.value + cores / workers);
  }
}
