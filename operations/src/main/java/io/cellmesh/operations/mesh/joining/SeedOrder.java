package io.cellmesh.operations.mesh.joining;

import io.cellmesh.cell.Shards;
import io.cellmesh.deployment.Seed;
import java.util.ArrayList;
import java.util.List;

/**
 * What a partition of a seed still lacks: its shards one after the other, so that its last cell
 * tells all.
 *
 * @param shards that lack cells, in their order
 * @param after the added_id in the first of them up to which there is all
 */
record SeedOrder(List<Integer> shards, long after) {
  SeedOrder {
    shards = List.copyOf(shards);
  }

  /** What comes next in a partition that has this. */
  static SeedOrder of(Seed.Part part, Shards shards) {
    int first = part.last().map(cell -> cell.shard()).orElse(part.partition());
    long after = part.last().map(cell -> cell.addedId()).orElse(0L);
    var left = new ArrayList<Integer>();
    if (!part.complete()) {
      for (int shard = first; shard < shards.count(); shard += shards.partitions()) {
        left.add(shard);
      }
    }
    return new SeedOrder(left, after);
  }
}
