package io.cellmesh.operations.mesh;

/**
 * Origin_ids of one shard, both ends included.
 *
 * @param first the lowest one
 * @param last the highest one
 */
public record IdRange(int shard, long first, long last) {
  /** All ids of a shard. */
  public static IdRange all(int shard) {
    return new IdRange(shard, 0, Long.MAX_VALUE);
  }

  boolean contains(long id) {
    return first <= id && id <= last;
  }
}
