package io.cellmesh.terminal;

import java.util.ArrayList;
import java.util.List;

/** Rows in aligned columns; a column whose header ends in {@code >} stands on the right. */
public final class Table {
  private static final String INDENT = "  ";
  private static final String GAP = "  ";

  private final List<String> headers;
  private final List<Boolean> right;
  private final List<List<String>> rows = new ArrayList<>();

  private Table(List<String> headers) {
    this.headers = headers.stream().map(h -> h.replaceAll(">$", "")).toList();
    this.right = headers.stream().map(h -> h.endsWith(">")).toList();
  }

  public static Table of(String... headers) {
    return new Table(List.of(headers));
  }

  /** Adds a row; a value's {@code toString} is shown. */
  public Table row(Object... values) {
    if (values.length != headers.size()) {
      throw new IllegalArgumentException(values.length + " values for " + headers.size());
    }
    var row = new ArrayList<String>();
    for (var value : values) {
      row.add(String.valueOf(value));
    }
    rows.add(row);
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The lines, with a rule under the headers; no headers if all are empty. */
  public List<String> render() {
    var widths = new int[headers.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Style.width(headers.get(i));
      for (var row : rows) {
        widths[i] = Math.max(widths[i], Style.width(row.get(i)));
      }
    }
    var lines = new ArrayList<String>();
    if (headers.stream().anyMatch(h -> !h.isEmpty())) {
      lines.add(line(headers, widths));
      var rules = new ArrayList<String>();
      for (int width : widths) {
        rules.add("─".repeat(width));
      }
      lines.add(line(rules, widths));
    }
    rows.forEach(row -> lines.add(line(row, widths)));
    return lines;
  }

  private String line(List<String> values, int[] widths) {
    var line = new StringBuilder(INDENT);
    for (int i = 0; i < widths.length; i++) {
      var padding = " ".repeat(widths[i] - Style.width(values.get(i)));
      line.append(i == 0 ? "" : GAP);
      line.append(right.get(i) ? padding + values.get(i) : values.get(i) + padding);
    }
    return line.toString().stripTrailing();
  }
}
