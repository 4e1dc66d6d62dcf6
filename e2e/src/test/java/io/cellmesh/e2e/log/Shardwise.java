package io.cellmesh.e2e.log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Entries of each shard, in an order of their own. */
final class Shardwise {
  private final TreeMap<Integer, List<Entry>> entries = new TreeMap<>();

  void add(int shard, Entry entry) {
    entries.computeIfAbsent(shard, s -> new ArrayList<>()).add(entry);
  }

  SortedMap<Integer, List<Entry>> entries() {
    return entries;
  }

  long size() {
    return entries.values().stream().mapToLong(List::size).sum();
  }

  /** Where added_id does not rise from one entry to the next; empty when it always does. */
  Optional<String> inversion() {
    for (var shard : entries.entrySet()) {
      for (int i = 1; i < shard.getValue().size(); i++) {
        var before = shard.getValue().get(i - 1);
        var entry = shard.getValue().get(i);
        if (entry.addedId() <= before.addedId()) {
          return Optional.of(
              "shard %d: %s comes behind %s".formatted(shard.getKey(), entry, before));
        }
      }
    }
    return Optional.empty();
  }

  /** An added_id that stands for two cells; empty when none does. */
  Optional<String> reused() {
    for (var shard : entries.entrySet()) {
      var cells = new HashMap<Long, Entry>();
      for (var entry : shard.getValue()) {
        var before = cells.putIfAbsent(entry.addedId(), entry);
        if (before != null && !before.equals(entry)) {
          return Optional.of("shard %d: %s and %s".formatted(shard.getKey(), before, entry));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * The first difference to another order of the same shards; empty when they are equal. Said in
   * one line, where a list of half a million would not be read.
   */
  Optional<String> difference(Shardwise other) {
    if (!entries.keySet().equals(other.entries.keySet())) {
      return Optional.of("shards %s and %s".formatted(entries.keySet(), other.entries.keySet()));
    }
    return entries.keySet().stream()
        .flatMap(shard -> difference(shard, other.entries.get(shard)).stream())
        .findFirst();
  }

  private Optional<String> difference(int shard, List<Entry> others) {
    var own = entries.get(shard);
    for (int i = 0; i < Math.max(own.size(), others.size()); i++) {
      var one = i < own.size() ? own.get(i) : null;
      var other = i < others.size() ? others.get(i) : null;
      if (one == null || !one.equals(other)) {
        return Optional.of(
            "shard %d, number %d: %s and %s, of %d and %d"
                .formatted(shard, i, one, other, own.size(), others.size()));
      }
    }
    return Optional.empty();
  }
}
