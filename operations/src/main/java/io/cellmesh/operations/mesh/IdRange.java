package io.cellmesh.operations.mesh;

/**
 * Origin_ids of one shard, both ends included.
 *
 * @param first the lowest one
 * @param last the highest one
 */
public record IdRange(int shard, long first, long last) {
  /** The blocks of 64 ids, of which digests are, that hold two ids and all between them. */
  static IdRange ofBlocks(int shard, long first, long last) {
    return new IdRange(shard, first & -Long.SIZE, last | Long.SIZE - 1);
  }

  boolean contains(long id) {
    return first <= id && id <= last;
  }
}
