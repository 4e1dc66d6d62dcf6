package io.cellmesh.cell.proof;

import java.util.Comparator;
import java.util.Objects;

/**
 * The cells that one data centre wrote first into one shard; their origin_ids rise.
 *
 * @param generation of the origin's log: it rises when that is made again after a divergence or a
 *     restore
 */
public record OriginShard(String origin, int generation, int shard)
    implements Comparable<OriginShard> {
  /** Of a log that was never made again. */
  public static final int FIRST_GENERATION = 1;

  private static final Comparator<OriginShard> ORDER =
      Comparator.comparing(OriginShard::origin)
          .thenComparingInt(OriginShard::generation)
          .thenComparingInt(OriginShard::shard);

  public OriginShard {
    Objects.requireNonNull(origin, "origin");
  }

  @Override
  public int compareTo(OriginShard other) {
    return ORDER.compare(this, other);
  }
}
