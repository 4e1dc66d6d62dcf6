package io.cellmesh.stack.chaos;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which cells a trigger was called with, and whether they came in each shard's order when they came
 * first. Safe for several threads.
 */
public final class Deliveries {
  private final Map<Integer, Shard> shards = new HashMap<>();
  private long cells;
  private long repeats;
  private long reordered;

  /** The added_ids that came: those in order densely, the others apart. */
  private static final class Shard {
    private long[] inOrder = new long[64];
    private int count;
    private final TreeSet<Long> late = new TreeSet<>();

    private boolean has(long id) {
      return Arrays.binarySearch(inOrder, 0, count, id) >= 0 || late.contains(id);
    }

    private void append(long id) {
      if (count == inOrder.length) {
        inOrder = Arrays.copyOf(inOrder, 2 * count);
      }
      inOrder[count++] = id;
    }
  }

  /** The trigger called with a cell, and was told that all is well. */
  synchronized void add(int number, long addedId) {
    var shard = shards.computeIfAbsent(number, n -> new Shard());
    if (shard.has(addedId)) {
      repeats++;
      return;
    }
    cells++;
    if (shard.count > 0 && addedId < shard.inOrder[shard.count - 1]) {
      reordered++;
      shard.late.add(addedId);
    } else {
      shard.append(addedId);
    }
  }

  /** Whether the trigger was called with a cell. */
  synchronized boolean has(int shard, long addedId) {
    return shards.containsKey(shard) && shards.get(shard).has(addedId);
  }

  /** Cells, each counted once. */
  synchronized long cells() {
    return cells;
  }

  /** Calls with a cell that had come before. */
  synchronized long repeats() {
    return repeats;
  }

  /** Cells that came for the first time after a later one of their shard. */
  synchronized long reordered() {
    return reordered;
  }
}
