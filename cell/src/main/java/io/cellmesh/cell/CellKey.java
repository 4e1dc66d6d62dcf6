package io.cellmesh.cell;

import java.util.Objects;
import java.util.UUID;

/**
 * The identity of a cell.
 *
 * @param rowKey the row
 * @param columnName 1 to {@value #MAX_COLUMN_NAME} characters, exact to the byte: {@code BASE} and
 *     {@code base} are two columns
 * @param refKey the version within row and column; the highest is the latest
 */
public record CellKey(UUID rowKey, String columnName, long refKey) {

  /** Most characters (Unicode code points) that a column name may have. */
  public static final int MAX_COLUMN_NAME = 64;

  public CellKey {
    Objects.requireNonNull(rowKey, "rowKey");
    Objects.requireNonNull(columnName, "columnName");
  }

  /** Names the cell for a person; the column's name is made {@link Printable}. */
  @Override
  public String toString() {
    return rowKey + "/" + Printable.of(columnName) + "/" + refKey;
  }
}
