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

  /** {@code fetch.max.bytes} of a consumer. */
  private static final double FETCHED = 50 * MIB;

  /** {@code max.partition.fetch.bytes} of the shipped sink. */
  private static final double FETCHED_OF_PARTITION = 5 * MIB;

  /** A batch's records, cells, copies and statements, all of them in memory at once. */
  private static final double BATCH = 30 * MIB;

  static WorkerCost of(Layout layout, Load load, SinkPace sink, ReapPace reap) {
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
            + Math.max(0, minions - clusters) * 2;
    double most =
        kept
            + clusters * (master.sinkMost() - master.sink() + master.indexMost() - master.index())
            + minions * (minion.sinkMost() - minion.sink());
    // A pool has a thread of its own; a put has one for each primary and one for each copy.
    double threads =
        tasks * (Costs.TASK_THREADS + layout.servers() + clusters * (1 + load.copies()))
            + layout.passes() * (Costs.TASK_THREADS + 2 * clusters)
            + clusters * Costs.SOURCE_THREADS;
    double files = all * Costs.TASK_FILES + clusters * Costs.SOURCE_FILES + most;
    double heap =
        all * Costs.TASK_HEAP + clusters * Costs.SOURCE_HEAP + kept * Costs.CONNECTION_HEAP;
    double way =
        Math.min(FETCHED, FETCHED_OF_PARTITION * layout.partitionsOfTask() * layout.ingestTopics())
            + BATCH;
    double cores =
        tasks
                * sink.puts()
                * (Costs.PUT_CPU
                    + sink.put().primaries() * Costs.PRIMARY_CPU
                    + sink.put().cells() * Costs.CELL_CPU)
            + load.stored(layout) * Costs.SOURCE_CELL_CPU
            + MySqlCost.transactions(layout, load, sink, reap) * Costs.SOURCE_TRANSACTION_CPU;
    int workers = layout.connectWorkers();
    double live = Costs.WORKER_HEAP + heap / workers;
    return new WorkerCost(
        kept / workers,
        most / workers,
        Costs.WORKER_THREADS + threads / workers,
        Costs.WORKER_FILES + files / workers,
        live,
        live + all * way / workers,
        cores / workers);
  }
}
