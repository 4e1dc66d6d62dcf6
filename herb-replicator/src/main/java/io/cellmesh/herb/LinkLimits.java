package io.cellmesh.herb;

import java.util.OptionalInt;

/**
 * How much a link may take of its process and of the way to its peer.
 *
 * @param threads of Kafka Streams, at least 1; they share the partitions of the peer's log
 * @param bytesPerSecond keys and values of the peer's log; empty: as fast as they come
 * @param fetchBytes of an answer of each of the peer's brokers, of which one is on its way at a
 *     time; a record that is larger comes alone
 * @param records that are fetched and wait, over all partitions
 */
record LinkLimits(int threads, OptionalInt bytesPerSecond, int fetchBytes, int records) {
  /** What holds in a process of one instance. */
  static final LinkLimits ALONE = new LinkLimits(1, OptionalInt.empty(), 8 << 20, 3_200);

  /** What holds for one of many, where its cohort says nothing. */
  static final LinkLimits SHARED = new LinkLimits(1, OptionalInt.empty(), 2 << 20, 2_000);
}
