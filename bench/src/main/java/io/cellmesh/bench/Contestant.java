package io.cellmesh.bench;

import java.sql.SQLException;

/**
 * What distinguishes one sink from another; {@link SinkHarness} takes each through the same rounds.
 */
interface Contestant extends Measured, AutoCloseable {
  /** Where its cells come from, with as many partitions as {@link #partitions}. */
  String topic();

  int partitions();

  /** A cell as its topic carries it. */
  byte[] record(BenchCell cell);

  /** Told of each cell once Kafka has it, in the order of the offsets. */
  void produced(BenchCell cell, int partition, long offset);

  @Override
  default String connectorName() {
    return name();
  }

  /** How many cells are committed, counted row by row. */
  long count() throws SQLException;

  @Override
  void close();
}
