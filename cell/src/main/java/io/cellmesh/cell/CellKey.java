package io.cellmesh.cell;

import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

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

  private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]*)");
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  public CellKey {
    Objects.requireNonNull(rowKey, "rowKey");
    Objects.requireNonNull(columnName, "columnName");
  }

  /**
   * Reads a key that someone typed, by the rules that an envelope is held to.
   *
   * @throws InvalidCellException naming the field and the rule
   */
  public static CellKey parse(String rowKey, String columnName, String refKey)
      throws InvalidCellException {
    return new CellKey(parseRow(rowKey), checkColumn(columnName), parseRef(refKey));
  }

  /**
   * Reads a row key that someone typed.
   *
   * @throws InvalidCellException if it is no UUID in its 36 lower-case characters
   */
  public static UUID parseRow(String text) throws InvalidCellException {
    var rowKey = RowKeys.parse(text);
    if (rowKey == null) {
      throw InvalidCellException.of("row_key", text, "not a UUID in its 36 lower-case characters");
    }
    return rowKey;
  }

  /**
   * Holds a column's name to its rules.
   *
   * @return the name
   * @throws InvalidCellException if it is empty, too long, or not Unicode
   */
  public static String checkColumn(String name) throws InvalidCellException {
    if (name.isEmpty()) {
      throw InvalidCellException.of("column_name", name, "empty");
    }
    if (name.codePointCount(0, name.length()) > MAX_COLUMN_NAME) {
      throw InvalidCellException.of("column_name", name, "over " + MAX_COLUMN_NAME + " characters");
    }
    if (!Json.isUnicode(name)) {
      throw InvalidCellException.of("column_name", name, "it has a lone surrogate");
    }
    return name;
  }

  private static long parseRef(String text) throws InvalidCellException {
    if (!INTEGER.matcher(text).matches()) {
      throw NUMBER.matcher(text).matches()
          ? InvalidCellException.of("ref_key", text, "must be an integer, without a fraction")
          : InvalidCellException.of("ref_key", "must be an integer, not a string");
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw InvalidCellException.of("ref_key", text, "beyond a signed 64-bit integer");
    }
  }

  /** Names the cell for a person; the column's name is made {@link Printable}. */
  @Override
  public String toString() {
    return rowKey + "/" + Printable.of(columnName) + "/" + refKey;
  }
}
