package io.cellmesh.operations.capacity;

import io.cellmesh.storage.MySqlOptions;

/**
 * Connections to one MySQL server, by who has them: as many as are kept while cells are written,
 * and as many as there can be.
 *
 * @param sink kept by all sink tasks
 * @param sinkMost of their pools
 * @param index kept by the sink tasks of index passes
 * @param indexMost of their pools
 * @param source of the source that reads the cluster: its monitors, and the binlog's reader
 * @param replication minions that read the binlog
 * @param httpMost of the pools of HTTP workers, those of their page too
 * @param operationsMost of one command
 */
public record Connections(
    double sink,
    double sinkMost,
    double index,
    double indexMost,
    double source,
    double replication,
    double httpMost,
    double operationsMost) {
  private static final int POOL = MySqlOptions.DEFAULT.poolSize();

  /** A source's task and its connector ask each server of the cluster how it is. */
  static final int MONITORS = 2;

  /** The binlog itself, and two sessions of Debezium's beside it. */
  private static final int READER = 3;

  /** Eight that read, six more for watches and index pages, and the page's pool. */
  private static final int HTTP = 14 + POOL;

  /** What a sink task keeps to a minion, which it asks how far it is and whether it is sound. */
  private static final int KEPT_ON_MINION = 1;

  /** To a master. */
  static Connections toMaster(Layout layout) {
    int tasks = layout.busyTasks();
    return new Connections(
        tasks * Coefficient.KEPT_ON_MASTER.value,
        tasks * POOL,
        layout.passes(),
        layout.passes() * POOL,
        MONITORS + (layout.minions() == 0 ? READER : 0),
        layout.minions(),
        layout.httpWorkers() * HTTP,
        POOL);
  }

  /** To the minion that the source reads. */
  static Connections toMinion(Layout layout) {
    int tasks = layout.busyTasks();
    return new Connections(
        tasks * KEPT_ON_MINION,
        tasks * POOL,
        0,
        0,
        MONITORS + READER,
        0,
        layout.httpWorkers() * HTTP,
        POOL);
  }

  /** Adds up what is kept, without HTTP workers and commands, which come and go. */
  public double kept() {
    return sink + index + source + replication;
  }

  public double most() {
    return sinkMost + indexMost + source + replication + httpMost + operationsMost;
  }
}
