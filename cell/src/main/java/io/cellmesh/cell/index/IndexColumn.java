package io.cellmesh.cell.index;

import com.fasterxml.jackson.databind.JsonNode;
import io.cellmesh.cell.CellKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What an index takes from the cells of one column: a {@code column_def}.
 *
 * @param columnKey the cells' column_name
 */
public record IndexColumn(String columnKey, List<IndexField> fields) {

  /**
   * @throws IndexDefinitionException if the column can't be one or has no field
   */
  public IndexColumn {
    fields = List.copyOf(fields);
    int length = columnKey.codePointCount(0, columnKey.length());
    if (length < 1 || length > CellKey.MAX_COLUMN_NAME) {
      throw new IndexDefinitionException(
          "column_key: \"%s\" is not 1 to %d characters"
              .formatted(columnKey, CellKey.MAX_COLUMN_NAME));
    }
    if (fields.isEmpty()) {
      throw new IndexDefinitionException("fields: column %s has none".formatted(columnKey));
    }
  }

  /**
   * The canonical texts of the fields in a body, in their order; null where the body has none.
   *
   * @throws MisfitException naming the first field that does not fit, or can't be told: no value
   *     may stop an index, whatever was overlooked
   */
  List<String> project(JsonNode body) throws MisfitException {
    var values = new ArrayList<String>(fields.size());
    for (var field : fields) {
      try {
        values.add(field.project(body));
      } catch (RuntimeException e) {
        throw new MisfitException(
            field.name(), "can't be told from its value (" + e.getClass().getSimpleName() + ")");
      }
    }
    return Collections.unmodifiableList(values);
  }
}
