package io.cellmesh.operations.log;

import io.cellmesh.cell.ShardSet;
import java.util.ArrayList;
import java.util.SortedSet;
import java.util.TreeSet;

/** Sets of shards as ranges and one by one. */
final class ShardSets {
  private ShardSets() {}

  static SortedSet<Integer> of(ShardSet ranges) {
    var shards = new TreeSet<Integer>();
    ranges.stream().forEach(shards::add);
    return shards;
  }

  /** The fewest ranges, in rising order. */
  static ShardSet ranges(SortedSet<Integer> shards) {
    var ranges = new ArrayList<ShardSet.Range>();
    int first = -1;
    int last = -1;
    for (int shard : shards) {
      if (first >= 0 && shard == last + 1) {
        last = shard;
        continue;
      }
      if (first >= 0) {
        ranges.add(new ShardSet.Range(first, last));
      }
      first = shard;
      last = shard;
    }
    if (first >= 0) {
      ranges.add(new ShardSet.Range(first, last));
    }
    return new ShardSet(ranges);
  }

  static ShardSet union(ShardSet one, ShardSet other) {
    var shards = of(one);
    shards.addAll(of(other));
    return ranges(shards);
  }
}
