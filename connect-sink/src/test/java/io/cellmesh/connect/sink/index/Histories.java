package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * What index-streams may say about some rows, all fields being strings: versions only rise, and a
 * row that leaves a value of the shard field leaves a removal there.
 */
final class Histories {
  private static final String[] VALUES = {"ann", "bob", "carl", "dora", "Ann", "bob ", "ä"};

  private final IndexDefinition definition;
  private final Random random;
  private final List<IndexEntry> said = new ArrayList<>();
  private final Map<List<Object>, IndexEntry> last = new HashMap<>();

  Histories(IndexDefinition definition, Random random) {
    this.definition = definition;
    this.random = random;
  }

  /** Adds the history of a row. */
  void row(UUID row) {
    var versions = new ArrayList<Long>(Collections.nCopies(definition.columns().size(), null));
    var values = new ArrayList<String>(Collections.nCopies(definition.fields().size(), null));
    int events = 1 + random.nextInt(12);
    for (int event = 0; event < events; event++) {
      var before = values.get(0);
      next(versions, values);
      if (before != null && !before.equals(values.get(0))) {
        var removal = new ArrayList<String>(Collections.nCopies(values.size(), null));
        removal.set(0, before);
        say(new IndexEntry(row, versions, removal, true));
      }
      if (values.get(0) != null) {
        say(new IndexEntry(row, versions, values, false));
      }
    }
  }

  /** All of it, in any order and some of it again. */
  List<IndexEntry> delivered() {
    var all = new ArrayList<>(said);
    for (int i = 0; i < said.size() / 2; i++) {
      all.add(said.get(random.nextInt(said.size())));
    }
    Collections.shuffle(all, random);
    return all;
  }

  /** What must stand in the end: of each identity what was said last. */
  Set<IndexEntry> outcome() {
    return new LinkedHashSet<>(last.values());
  }

  /** One column gets a higher version, and with it its fields other values. */
  private void next(List<Long> versions, List<String> values) {
    int column = random.nextInt(versions.size());
    long version = versions.get(column) == null ? random.nextInt(5) - 2 : versions.get(column);
    versions.set(column, version + 1 + random.nextInt(3));
    int field = 0;
    for (int i = 0; i < column; i++) {
      field += definition.columns().get(i).fields().size();
    }
    for (int i = 0; i < definition.columns().get(column).fields().size(); i++) {
      values.set(field + i, random.nextInt(4) == 0 ? null : VALUES[random.nextInt(VALUES.length)]);
    }
  }

  private void say(IndexEntry entry) {
    said.add(entry);
    last.put(List.of(entry.shardValue(), entry.rowKey()), entry);
  }
}
