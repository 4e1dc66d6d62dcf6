package io.cellmesh.terminal;

import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/** How values read. */
public final class Texts {
  private Texts() {}

  public static String list(Collection<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  public static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
  }

  /** A wait as a person says it: 34 s, 12 min, 3 h, 2 d. */
  public static String age(long millis) {
    long seconds = millis / 1000;
    if (seconds < 120) {
      return seconds + " s";
    }
    if (seconds < 2 * 3600) {
      return seconds / 60 + " min";
    }
    return seconds < 2 * 86_400 ? seconds / 3600 + " h" : seconds / 86_400 + " d";
  }

  public static String millis(double millis) {
    return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%,.0f ms", millis);
  }

  /** A count with its noun: 1 cell, 2 cells. */
  public static String count(long value, String noun) {
    return count(value, noun, noun + "s");
  }

  public static String count(long value, String one, String many) {
    return count(value) + " " + (value == 1 ? one : many);
  }
}
