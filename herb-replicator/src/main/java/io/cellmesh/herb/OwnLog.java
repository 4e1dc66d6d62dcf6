package io.cellmesh.herb;

import io.cellmesh.deployment.Seed;
import io.cellmesh.deployment.peer.LogAnswer;
import java.util.Map;
import java.util.Optional;

/** The log of this data centre, and what goes with it, as its peers read it over HTTP. */
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
  TopicBatches open(Map<Integer, Long> next);

  /** As {@link #describe}, of what was folded for the proof. */
  LogAnswer describeCheckpoints() throws InterruptedException;

  /** Begins to read what a peer is to have of that. */
  TopicBatches checkpoints(String peer, Map<Integer, Long> next);

  /**
   * Looks at the seed for a peer.
   *
   * @return empty if there is none
   * @throws io.cellmesh.deployment.MissingRightException if it may not be looked at
   */
  Optional<Seed> seed(String peer) throws InterruptedException;

  /** As {@link #describe}, of that seed's topic. */
  LogAnswer describeSeed(String peer) throws InterruptedException;

  /** Begins to read it, in some partitions. */
  TopicBatches seed(String peer, Map<Integer, Long> next);
}
