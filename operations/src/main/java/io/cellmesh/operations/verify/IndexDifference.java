package io.cellmesh.operations.verify;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/** Names the entries in which an index and its recomputation differ, for one shard of the index. */
final class IndexDifference {
  private final IndexDefinition definition;
  private final BiConsumer<IndexIdentity, String> offences;
  private final Map<IndexIdentity, IndexEntry> expected = new HashMap<>();

  /**
   * @param offences told of every entry that differs, and how
   */
  IndexDifference(IndexDefinition definition, BiConsumer<IndexIdentity, String> offences) {
    this.definition = definition;
    this.offences = offences;
  }

  void expect(IndexEntry entry) {
    expected.put(IndexIdentity.of(entry), entry);
  }

  /** Takes in an entry of the table, after all {@link #expect}. */
  void found(IndexEntry entry) {
    var wanted = expected.remove(IndexIdentity.of(entry));
    if (wanted == null) {
      offences.accept(IndexIdentity.of(entry), "is in the index and follows from no cell");
    } else if (!wanted.equals(entry)) {
      offences.accept(IndexIdentity.of(entry), difference(wanted, entry));
    }
  }

  void finish() {
    expected.keySet().forEach(e -> offences.accept(e, "is missing from the index"));
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
}
