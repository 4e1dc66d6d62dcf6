package io.cellmesh.topics.load;

import io.cellmesh.cell.CellKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Which cells a CSV row becomes.
 *
 * @param cells one a cell column, in the order in which they are produced
 */
public record CsvLayout(List<Column> cells) {
  private static final String SYNTAX = "layout: \"%s\" is not COLUMN=field,field;COLUMN=…";

  public CsvLayout {
    cells = List.copyOf(cells);
  }

  /** Every field in one cell of the column {@code BASE}. */
  public static CsvLayout allInBase(List<String> header) {
    return new CsvLayout(List.of(new Column("BASE", header)));
  }

  /**
   * Reads {@code BASE=pickup,dropoff;FARE=fare,tip}.
   *
   * @throws IllegalArgumentException if the text is none, names a column twice, or names a field
   *     that the header lacks
   */
  public static CsvLayout parse(String text, List<String> header) {
    var cells = new ArrayList<Column>();
    var names = new HashSet<String>();
    for (var part : text.split(";")) {
      int equals = part.indexOf('=');
      if (equals < 1 || equals == part.length() - 1) {
        throw new IllegalArgumentException(SYNTAX.formatted(text));
      }
      var name = part.substring(0, equals).strip();
      if (name.isEmpty() || name.codePointCount(0, name.length()) > CellKey.MAX_COLUMN_NAME) {
        throw new IllegalArgumentException(
            "layout: a column name has 1 to " + CellKey.MAX_COLUMN_NAME + " characters");
      }
      if (!names.add(name)) {
        throw new IllegalArgumentException("layout: column " + name + " is given twice");
      }
      cells.add(new Column(name, fields(part.substring(equals + 1), header)));
    }
    return new CsvLayout(cells);
  }

  private static List<String> fields(String text, List<String> header) {
    var fields = new ArrayList<String>();
    for (var part : text.split(",")) {
      var field = part.strip();
      if (!header.contains(field)) {
        throw new IllegalArgumentException(
            "layout: the file has no field \"" + field + "\"; it has " + header);
      }
      fields.add(field);
    }
    return fields;
  }

  /** A cell column and the fields that its body holds. */
  public record Column(String name, List<String> fields) {
    public Column {
      fields = List.copyOf(fields);
    }
  }
}
