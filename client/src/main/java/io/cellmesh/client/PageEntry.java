package io.cellmesh.client;

import io.cellmesh.cell.LogRecord;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * An entry of an index.
 *
 * @param rowKey the row that it points to
 * @param fields its values by their fields' names; null is a value
 * @param cells the latest cells of the columns asked for, as far as the row has them
 */
public record PageEntry(UUID rowKey, Map<String, String> fields, List<LogRecord> cells) {
  public PageEntry {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    cells = List.copyOf(cells);
  }
}
