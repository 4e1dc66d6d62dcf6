package io.cellmesh.terminal;

import io.cellmesh.operations.OperationException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Times as a person types them, a number and a unit. */
public final class TimeText {
  private static final Pattern FORM = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");

  /** The longest first. */
  private static final Map<String, ChronoUnit> UNITS = new LinkedHashMap<>();

  static {
    UNITS.put("d", ChronoUnit.DAYS);
    UNITS.put("h", ChronoUnit.HOURS);
    UNITS.put("m", ChronoUnit.MINUTES);
    UNITS.put("s", ChronoUnit.SECONDS);
    UNITS.put("ms", ChronoUnit.MILLIS);
  }

  private TimeText() {}

  /** Says whether a text is a time. */
  public static boolean isOne(String text) {
    return FORM.matcher(text).matches();
  }

  /**
   * Reads a time.
   *
   * @param option that it was given with
   * @throws OperationException if it is none
   */
  public static Duration parse(String option, String text) {
    var parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw OperationException.invalid(
          "%s = \"%s\": must be a number with its unit, such as 500ms, 10s, 5m, 2h or 30d"
              .formatted(option, CellText.shorten(text, 80)));
    }
    return Duration.of(Long.parseLong(parts.group(1)), UNITS.get(parts.group(2)));
  }

  /** Writes whole milliseconds in the largest unit that has no fraction. */
  public static String of(Duration time) {
    long millis = time.toMillis();
    for (var unit : UNITS.entrySet()) {
      long length = unit.getValue().getDuration().toMillis();
      if (millis > 0 && millis % length == 0) {
        return millis / length + unit.getKey();
      }
    }
    return millis + "ms";
  }
}
