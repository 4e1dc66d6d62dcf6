package io.cellmesh.cell;

import java.util.HashMap;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Columns whose cells also go to a topic each, {@link Topics#trigger}. Their names are part of the
 * topics' and so are held to Kafka's rules; with the longest of both, a topic's name has 121
 * characters of the 249 that Kafka allows.
 */
public final class TriggerColumns {
  private static final Pattern LEGAL =
      Pattern.compile("[a-zA-Z0-9._-]{1," + CellKey.MAX_COLUMN_NAME + "}");

  private static final int SHOWN = 80;

  private TriggerColumns() {}

  /**
   * Checks that each of the columns can have a topic beside those of the others.
   *
   * @param setting where the names stand, for the message
   * @throws IllegalArgumentException naming the setting, the column (shortened) and the rule
   */
  public static List<String> check(String setting, List<String> columns) {
    var metrics = new HashMap<String, String>();
    for (var column : columns) {
      if (!LEGAL.matcher(column).matches()) {
        throw refusal(
            setting,
            column,
            "is not 1 to %d of a-z, A-Z, 0-9, ., _ and -, as it must be to stand in a topic's name"
                .formatted(CellKey.MAX_COLUMN_NAME));
      }
      var other = metrics.put(column.replace('.', '_'), column);
      if (column.equals(other)) {
        throw refusal(setting, column, "is listed twice");
      }
      if (other != null) {
        throw refusal(
            setting,
            column,
            "would share its topic's metrics with \"%s\", since Kafka takes . and _ for the same there"
                .formatted(other));
      }
    }
    return List.copyOf(columns);
  }

  private static IllegalArgumentException refusal(String setting, String column, String rule) {
    var shown = column.length() <= SHOWN ? column : column.substring(0, SHOWN) + "…";
    return new IllegalArgumentException(
        "%s: \"%s\" %s".formatted(setting, Printable.of(shown), rule));
  }
}
