package io.cellmesh.bench;

import java.util.UUID;

/**
 * What brings cells from one data centre's Kafka into another one's MySQL; {@link MeshHarness}
 * takes each through the same.
 */
interface MeshWay extends Contestant {

  /** What is asked of it, where its settings depend on that. */
  enum Load {
    BACKLOG,
    STREAM
  }

  /** Starts it: what is in its topic flows. */
  void begin() throws Exception;

  /** What is produced from now on waits; all that was produced before has arrived. */
  void hold() throws Exception;

  /** Lets it flow again. */
  void release(Load load) throws Exception;

  /** Stops it, when all has arrived. */
  void end() throws Exception;

  /** How it is, if no more cells come. */
  String state();

  /** How many cells have been produced for it. */
  long produced();

  /** Notes from now on when cells are committed far away. */
  Landing landing() throws Exception;

  /** When cells were first seen in the far MySQL. */
  interface Landing extends AutoCloseable {
    /**
     * Waits for a row's only cell, and says when it was seen, in {@link System#nanoTime}; asked
     * when all are known to be there.
     */
    long at(UUID rowKey) throws Exception;

    @Override
    void close();
  }
}
