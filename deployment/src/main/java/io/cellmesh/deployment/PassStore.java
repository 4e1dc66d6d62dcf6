package io.cellmesh.deployment;

import org.apache.kafka.common.KafkaException;

/**
 * Where the passes of a data centre are written down, for index-streams to keep their indexes. Only
 * {@link #remove} takes a pass away.
 */
public interface PassStore {
  /**
   * Reads what is stored, if it has changed.
   *
   * @param before the reading before, or {@link StoredPasses#NONE}
   * @throws KafkaException in words, if it can't be read
   */
  StoredPasses read(StoredPasses before) throws InterruptedException;

  /** Makes the store if there is none. */
  void create() throws InterruptedException;

  /** Stores a pass; returns once it can be read. */
  void put(Pass pass) throws InterruptedException;

  /** Takes a pass away, if it is there or not; returns once that can be read. */
  void remove(String pass) throws InterruptedException;
}
