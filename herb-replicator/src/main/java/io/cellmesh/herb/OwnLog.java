package io.cellmesh.herb;

import java.util.Map;

/** The log of this data centre, as its peers read it over HTTP. */
interface OwnLog {
  String instance();

  /** P, of which a question names each. */
  int partitions();

  /**
   * Says whose log it is and what it has.
   *
   * @throws org.apache.kafka.common.KafkaException if Kafka does not answer
   */
  LogAnswer describe() throws InterruptedException;

  /**
   * Begins to read its own cells.
   *
   * @param next the offset of the first record that is wanted, by partition
   */
  OwnCells open(Map<Integer, Long> next);
}
