package io.cellmesh.bench;

import io.cellmesh.devstack.DevStack;
import java.sql.SQLException;
import java.util.Map;

/** What distinguishes one sink from another; {@link Course} is what they have in common. */
interface Contestant extends AutoCloseable {
  /** One word, as in the result. */
  String name();

  /** The servers that it has for itself. */
  DevStack stack();

  /** Where its cells come from, with as many partitions as {@link #partitions}. */
  String topic();

  int partitions();

  /** A cell as its topic carries it. */
  byte[] record(BenchCell cell);

  /** Told of each cell once Kafka has it, in the order of the offsets. */
  void produced(BenchCell cell, int partition, long offset);

  /** How the names of its own classes begin. */
  String code();

  /** Its connector's configuration. */
  Map<String, String> connector() throws Exception;

  /**
   * How many cells are committed, cheap enough to be asked a hundred times a second. In between it
   * may run a batch ahead; not with the first cells of a round, nor with the last.
   */
  long visible() throws SQLException;

  /** How many cells are committed, counted row by row. */
  long count() throws SQLException;

  @Override
  void close();
}
