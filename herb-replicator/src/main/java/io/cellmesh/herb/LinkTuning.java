package io.cellmesh.herb;

/**
 * What may be set of a link over Kafka.
 *
 * @param threads that read and write, each its own partitions; at least 1
 * @param compression of what it writes into the mesh topic, as Kafka calls it
 * @param linger milliseconds that it may wait for more cells at the peer's brokers, and once more
 *     before it writes them; 0 for none
 * @param limits to what it takes of its process
 */
record LinkTuning(int threads, String compression, int linger, LinkLimits limits) {
  static final LinkTuning USUAL = new LinkTuning(1, "lz4", 0, LinkLimits.ALONE);
}
