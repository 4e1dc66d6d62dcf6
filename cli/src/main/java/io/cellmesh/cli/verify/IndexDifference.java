package io.cellmesh.cli.verify;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Names the entries in which an index and its recomputation differ, for one shard of the index. */
final class IndexDifference {
  private final IndexDefinition definition;
  private final int shard;
  private final Tally tally;
  private final Map<Identity, IndexEntry> expected = new HashMap<>();

  IndexDifference(IndexDefinition definition, int shard, Tally tally) {
    this.definition = definition;
    this.shard = shard;
    this.tally = tally;
  }

  void expect(IndexEntry entry) {
    expected.put(Identity.of(entry), entry);
  }

  /** Takes in an entry of the table, after all {@link #expect}. */
  void found(IndexEntry entry) {
    var wanted = expected.remove(Identity.of(entry));
    if (wanted == null) {
      tally.offence(name(entry), "is in the index and follows from no cell");
    } else if (!wanted.equals(entry)) {
      tally.offence(name(entry), difference(wanted, entry));
    }
  }

  void finish() {
    expected.values().forEach(e -> tally.offence(name(e), "is missing from the index"));
  }

  private String name(IndexEntry entry) {
    return "%s: row %s (index shard %d)".formatted(definition.name(), entry.rowKey(), shard);
  }

  private String difference(IndexEntry wanted, IndexEntry entry) {
    for (int i = 0; i < definition.columns().size(); i++) {
      if (!Objects.equals(wanted.versions().get(i), entry.versions().get(i))) {
        return "follows ref_key %s of %s, the newest is %s"
            .formatted(
                entry.versions().get(i),
                definition.columns().get(i).columnKey(),
                wanted.versions().get(i));
      }
    }
    for (int i = 0; i < definition.fields().size(); i++) {
      if (!Objects.equals(wanted.values().get(i), entry.values().get(i))) {
        return "has another " + definition.fields().get(i).name() + " than the cells";
      }
    }
    return "differs from the cells";
  }

  private record Identity(String shardValue, UUID rowKey) {
    static Identity of(IndexEntry entry) {
      return new Identity(entry.shardValue(), entry.rowKey());
    }
  }
}
