package io.cellmesh.bench;

import io.cellmesh.devstack.KafkaBroker;
import java.sql.SQLException;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What distinguishes one sink from another; {@link SinkHarness} takes each through the same rounds.
 */
interface Contestant extends Measured, AutoCloseable {
  /** Where its cells come from, with as many partitions as {@link #partitions}. */
  String topic();

  int partitions();

  /** The broker that has the topic. */
  default KafkaBroker broker() {
    return stack().broker(Servers.DATACENTER);
  }

  /** A cell as its topic carries it. */
  byte[] record(BenchCell cell);

  /** The same, with all that a record has. */
  default ProducerRecord<byte[], byte[]> toProduce(BenchCell cell) {
    return new ProducerRecord<>(topic(), cell.key(), record(cell));
  }

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
