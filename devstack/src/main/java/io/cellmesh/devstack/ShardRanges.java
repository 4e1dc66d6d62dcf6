package io.cellmesh.devstack;

import io.cellmesh.cell.ShardSet;
import java.util.ArrayList;
import java.util.List;

/** Splits the shards into ranges of as equal a length as can be. */
final class ShardRanges {
  private ShardRanges() {}

  static List<ShardSet> split(int shards, int clusters) {
    if (clusters > shards) {
      throw new IllegalArgumentException(
          "%d clusters cannot share %d shards".formatted(clusters, shards));
    }
    var sets = new ArrayList<ShardSet>();
    int first = 0;
    for (int i = 1; i <= clusters; i++) {
      int next = (int) ((long) shards * i / clusters);
      sets.add(new ShardSet(List.of(new ShardSet.Range(first, next - 1))));
      first = next;
    }
    return sets;
  }
}
