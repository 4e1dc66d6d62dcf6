package io.cellmesh.operations.capacity;

/**
 * Coefficients that no code says. They were measured by {@code cellmesh bench capacity}, as
 * docs/capacity.md tells; seconds are of one processor of that machine.
 */
final class Costs {
  /** Of a Connect worker without connectors: threads, open files, bytes of live heap. */
  static final int WORKER_THREADS = 60;

  static final int WORKER_FILES = 400;
  static final double WORKER_HEAP = 45e6;

  /** Of a sink task beside its connections: its own threads and its Kafka clients'. */
  static final int TASK_THREADS = 8;

  static final int TASK_FILES = 12;
  static final double TASK_HEAP = 4e6;

  /** Of a source connector with its task. */
  static final int SOURCE_THREADS = 12;

  static final int SOURCE_FILES = 12;
  static final double SOURCE_HEAP = 4e6;

  /** Bytes of live heap of a connection that is kept, with its part of the pool. */
  static final double CONNECTION_HEAP = 150e3;

  /** Connections that a sink task keeps to a master while it writes, of at most a pool's. */
  static final double KEPT_ON_MASTER = 3;

  /** Processor of the Connect worker: a put, a primary's transaction with its copy, a cell. */
  static final double PUT_CPU = 1e-3;

  static final double PRIMARY_CPU = 0.4e-3;
  static final double CELL_CPU = 25e-6;

  /** Processor of a source: a transaction of the binlog, a cell of it. */
  static final double SOURCE_TRANSACTION_CPU = 60e-6;

  static final double SOURCE_CELL_CPU = 30e-6;

  /** Processor of a master: a commit, a statement of a put, a cell with its copy. */
  static final double MASTER_COMMIT_CPU = 0.25e-3;

  static final double MASTER_CELL_CPU = 40e-6;

  /** Processor of a minion: a transaction that it applies, a cell with its copy. */
  static final double MINION_COMMIT_CPU = 0.4e-3;

  static final double MINION_CELL_CPU = 30e-6;

  /** What is left of a log record's bytes in a stored body, and what a row takes beside it. */
  static final double STORED = 0.35;

  static final double ROW_BYTES = 150;

  /** In a binlog: of a transaction, and of a cell beside its stored body. */
  static final double TRANSACTION_BYTES = 600;

  static final double EVENT_BYTES = 60;

  /** What a master receives: of a commit, and of a cell beside its stored body, in hexadecimal. */
  static final double COMMIT_RECEIVED = 700;

  static final double CELL_RECEIVED = 150;

  private Costs() {}
}
