package io.cellmesh.operations.verify;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The entity rows of one data centre's shards of one partition. */
final class Entities {
  private final Map<CellKey, LogRecord> byKey = new HashMap<>();
  private final TreeMap<Integer, List<LogRecord>> byShard = new TreeMap<>();

  /** Adds a row; those of one shard come in added_id order. */
  void add(LogRecord row) {
    byKey.put(row.cell().key(), row);
    byShard.computeIfAbsent(row.shard(), s -> new ArrayList<>()).add(row);
  }

  /** The row of a cell, or null. */
  LogRecord get(CellKey key) {
    return byKey.get(key);
  }

  Collection<CellKey> keys() {
    return Collections.unmodifiableSet(byKey.keySet());
  }

  /** The rows of a shard in added_id order. */
  List<LogRecord> shard(int shard) {
    return byShard.getOrDefault(shard, List.of());
  }

  /** All rows, shard by shard, in added_id order. */
  Iterable<LogRecord> rows() {
    return () -> byShard.values().stream().flatMap(List::stream).iterator();
  }

  Collection<Integer> shards() {
    return byShard.keySet();
  }

  int size() {
    return byKey.size();
  }

  /** Where a row was first written. */
  static String originOf(LogRecord row) {
    return row.cell().origin().orElseThrow().datacenter();
  }
}
