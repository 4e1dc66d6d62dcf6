package io.cellmesh.operations.verify;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexRow;
import io.cellmesh.cell.index.MisfitException;
import java.util.HashMap;
import java.util.UUID;
import java.util.function.Consumer;

/** The entries that an index must hold, from the cells alone (invariant 7). */
final class IndexRecomputation {
  private final IndexDefinition definition;

  IndexRecomputation(IndexDefinition definition) {
    this.definition = definition;
  }

  /** Hands out the entries of all rows of a partition; a row stands on one shard as a whole. */
  void entries(Entities entities, Consumer<IndexEntry> consumer) {
    var rows = new HashMap<UUID, IndexRow>();
    for (var record : entities.rows()) {
      var key = record.cell().key();
      if (definition.columnOf(key.columnName()) < 0) {
        continue;
      }
      var row = rows.computeIfAbsent(key.rowKey(), rowKey -> IndexRow.empty(definition, rowKey));
      try {
        var change = row.apply(key.columnName(), key.refKey(), record.cell().body());
        rows.put(key.rowKey(), change.row());
      } catch (MisfitException | IllegalStateException e) {
        // The contract of an index: a cell that does not fit does not count for it. A body that is
        // damaged is the entity checks' to report.
      }
    }
    rows.values().forEach(row -> row.entry().ifPresent(consumer));
  }
}
