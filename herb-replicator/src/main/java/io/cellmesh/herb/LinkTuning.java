package io.cellmesh.herb;

/**
 * What may be set of a link over Kafka.
 *
 * @param threads that read and write, each its own partitions; at least 1
 * @param compression of what it writes into the mesh topic, as Kafka calls it
 */
record LinkTuning(int threads, String compression) {
  static final LinkTuning USUAL = new LinkTuning(1, "lz4");
}
