package io.cellmesh.index;

import io.cellmesh.cell.index.IndexEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What the tables of an index do with entries: each counts unless one of its versions is lower than
 * that of what stands there.
 */
final class GuardedTable {
  private final Map<String, IndexEntry> rows = new HashMap<>();

  void apply(IndexEntry entry) {
    rows.merge(
        entry.shardValue() + '/' + entry.rowKey(),
        entry,
        (there, next) -> next.supersedes(there) ? next : there);
  }

  /** Applies them in a random order, about every fourth twice. */
  void applyShuffled(List<IndexEntry> entries, Random random) {
    var delivered = new ArrayList<>(entries);
    entries.stream().filter(e -> random.nextInt(4) == 0).forEach(delivered::add);
    Collections.shuffle(delivered, random);
    delivered.forEach(this::apply);
  }

  /** What a query finds: removals stand, but not for it. */
  Map<String, IndexEntry> standing() {
    var standing = new HashMap<>(rows);
    standing.values().removeIf(IndexEntry::removed);
    return standing;
  }
}
