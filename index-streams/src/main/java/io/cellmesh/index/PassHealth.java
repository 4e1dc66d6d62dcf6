package io.cellmesh.index;

import java.util.OptionalLong;

/**
 * How the application of a pass is.
 *
 * @param state of Kafka Streams, such as RUNNING or REBALANCING; FAILING while its threads die
 *     again and again
 * @param threads stream threads that live
 * @param wantedThreads how many there should be
 * @param behind records of its topics that this process's partitions have not fetched yet
 * @param lagMs how long the record that was processed last had stood in its topic; empty before the
 *     first
 * @param restoring partitions whose state is being restored
 * @param recordsToRestore changelog records that these still need
 * @param unindexed cells that did not fit an index, since the start
 * @param deaths stream threads that died and were replaced, since the start
 * @param lastDeath why the last of them died; empty before the first
 */
record PassHealth(
    String state,
    int threads,
    int wantedThreads,
    long behind,
    OptionalLong lagMs,
    int restoring,
    long recordsToRestore,
    long unindexed,
    long deaths,
    String lastDeath) {

  /** Whether it processes records with all its threads. */
  boolean isGood() {
    return state.equals("RUNNING") && threads >= wantedThreads;
  }
}
