package io.cellmesh.herb;

/**
 * What may be set of a link over Kafka.
 *
 * @param threads that read and write, each its own partitions; at least 1
 * @param compression of what it writes into the mesh topic, as Kafka calls it
 * @param limits to what it takes of its process
 */
record LinkTuning(int threads, String compression, LinkLimits limits) {
  static final LinkTuning USUAL = new LinkTuning(1, "lz4", LinkLimits.ALONE);
}
