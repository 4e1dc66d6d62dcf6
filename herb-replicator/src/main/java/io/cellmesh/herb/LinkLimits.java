package io.cellmesh.herb;

import java.util.OptionalInt;

/**
 * How much a link may take of its process and of the way to its peer.
 *
 * @param bytesPerSecond of the peer's log: keys and values, and over HTTP what comes on the way;
 *     empty: as fast as they come
 * @param fetchBytes of an answer of each broker that a log is read from, of which one is on its way
 *     at a time; a record that is larger comes alone
 * @param records over Kafka, that are fetched and wait, over all partitions
 */
record LinkLimits(OptionalInt bytesPerSecond, int fetchBytes, int records) {
  /** What holds in a process of one instance. */
  static final LinkLimits ALONE = new LinkLimits(OptionalInt.empty(), 8 << 20, 3_200);

  /** What holds for one of many, where its cohort says nothing. */
  static final LinkLimits SHARED = new LinkLimits(OptionalInt.empty(), 2 << 20, 2_000);
}
