package io.cellmesh.worker.status;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexRow;
import io.cellmesh.cell.index.MisfitException;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What an index has to hold of a row, by the row's cells.
 *
 * @param entry empty if its shard field has no value
 * @param used the cells that the entry is made of: of each column the latest that fits
 */
record IndexedRow(Optional<IndexEntry> entry, Set<CellKey> used) {

  static IndexedRow of(IndexDefinition definition, UUID rowKey, List<LogRecord> cells) {
    var row = IndexRow.empty(definition, rowKey);
    var latest = new HashMap<String, CellKey>();
    for (var record : cells) {
      var key = record.cell().key();
      if (definition.columnOf(key.columnName()) >= 0) {
        try {
          row = row.apply(key.columnName(), key.refKey(), record.cell().body()).row();
          latest.merge(key.columnName(), key, (a, b) -> a.refKey() > b.refKey() ? a : b);
        } catch (MisfitException | IllegalStateException e) {
          // A cell that does not fit, or whose body is damaged, does not count.
        }
      }
    }
    return new IndexedRow(row.entry(), Set.copyOf(latest.values()));
  }
}
