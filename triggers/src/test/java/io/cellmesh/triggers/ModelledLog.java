package io.cellmesh.triggers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * The log of an instance without I/O: its offsets have gaps, a source without transactions repeats
 * what it sent, and a rebuild begins shards again, if need be twice.
 */
final class ModelledLog {
  static final int PARTITIONS = 2;
  static final int SHARDS = 6;
  private static final int ROWS = 3;

  record Entry(long offset, Cell cell, boolean rebuilt) {}

  /** A cell, and what became of it in truth. */
  static final class Cell {
    final int shard;
    final long id;
    final UUID row;
    final boolean wanted;
    final long offset;
    boolean delivered;
    boolean done;
    boolean parked;

    Cell(int shard, long id, UUID row, boolean wanted, long offset) {
      this.shard = shard;
      this.id = id;
      this.row = row;
      this.wanted = wanted;
      this.offset = offset;
    }

    boolean isFinished() {
      return !wanted || done || parked;
    }

    boolean isPoison() {
      return id % 13 == 7;
    }

    boolean isKiller() {
      return id % 31 == 11;
    }

    @Override
    public String toString() {
      return shard + "/" + id;
    }
  }

  final List<List<Entry>> partitions = new ArrayList<>();
  final Map<Integer, List<Cell>> shards = new LinkedHashMap<>();
  final long[] start = new long[PARTITIONS];
  private final Map<String, UUID> rows = new HashMap<>();
  private final Random random;

  ModelledLog(Random random) {
    this.random = random;
    for (int partition = 0; partition < PARTITIONS; partition++) {
      partitions.add(new ArrayList<>());
    }
    for (int shard = 0; shard < SHARDS; shard++) {
      shards.put(shard, new ArrayList<>());
      for (int row = 0; row < ROWS; row++) {
        rows.put(shard + "/" + row, new UUID(shard, row));
      }
    }
  }

  /** Has a trigger begin here. */
  void begin() {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      start[partition] = end(partition);
    }
  }

  void produce(int count) {
    for (int i = 0; i < count; i++) {
      int shard = random.nextInt(4) == 0 ? 0 : random.nextInt(SHARDS);
      var cells = shards.get(shard);
      long offset = nextOffset(shard % PARTITIONS);
      var row = rows.get(shard + "/" + random.nextInt(ROWS));
      var cell = new Cell(shard, cells.size() + 1L, row, random.nextInt(5) > 0, offset);
      cells.add(cell);
      partitions.get(shard % PARTITIONS).add(new Entry(offset, cell, false));
    }
  }

  /** Sends the last cells of a partition's shards again. */
  void repeat(int partition) {
    for (var cells : ofPartition(partition)) {
      int from = Math.max(0, cells.size() - random.nextInt(8));
      cells.subList(from, cells.size()).forEach(cell -> append(partition, cell, false));
    }
  }

  /** Sends all cells of a partition's shards again, now and then after a first part of them. */
  void rebuild(int partition) {
    var shards = ofPartition(partition);
    if (random.nextBoolean()) {
      shards.forEach(
          cells ->
              cells
                  .subList(0, random.nextInt(cells.size() + 1))
                  .forEach(cell -> append(partition, cell, true)));
    }
    int longest = shards.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < longest; i++) {
      for (var cells : shards) {
        if (i < cells.size()) {
          append(partition, cells.get(i), true);
        }
      }
    }
  }

  long end(int partition) {
    var entries = partitions.get(partition);
    return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).offset() + 1;
  }

  /** Says whether an entry may be passed: what the trigger never met is left to a rebuild. */
  boolean mayPass(int partition, Entry entry) {
    boolean before = entry.cell().offset < start[partition];
    return entry.offset() < start[partition]
        || entry.cell().isFinished()
        || (before && !entry.rebuilt());
  }

  private List<List<Cell>> ofPartition(int partition) {
    return shards.entrySet().stream()
        .filter(shard -> shard.getKey() % PARTITIONS == partition)
        .map(Map.Entry::getValue)
        .toList();
  }

  private void append(int partition, Cell cell, boolean rebuilt) {
    partitions.get(partition).add(new Entry(nextOffset(partition), cell, rebuilt));
  }

  private long nextOffset(int partition) {
    return end(partition) + (random.nextInt(6) == 0 ? 1 + random.nextInt(3) : 0);
  }
}
