package io.cellmesh.cli.log;

import java.util.ArrayList;

/** MySQL's GTID sets, such as {@code 3e11fa47-…:1-77:80,8a94f357-…:1}. */
public final class Gtids {
  private static final int SERVER = 8;

  private Gtids() {}

  /** How many transactions a set holds. */
  public static long count(String set) {
    long count = 0;
    for (var source : set.strip().split("\\s*,\\s*")) {
      var parts = source.split(":");
      for (int i = 1; i < parts.length; i++) {
        var interval = parts[i].strip();
        // A tag stands between the server and its intervals.
        if (Character.isDigit(interval.charAt(0))) {
          int dash = interval.indexOf('-');
          long first = Long.parseLong(dash < 0 ? interval : interval.substring(0, dash));
          long last = dash < 0 ? first : Long.parseLong(interval.substring(dash + 1));
          count += last - first + 1;
        }
      }
    }
    return count;
  }

  /** The set with as much of every server's UUID as tells them apart. */
  public static String shortened(String set) {
    var sources = new ArrayList<String>();
    for (var source : set.strip().split("\\s*,\\s*")) {
      int colon = source.indexOf(':');
      sources.add(
          colon > SERVER ? source.substring(0, SERVER) + "…" + source.substring(colon) : source);
    }
    return String.join(" ", sources);
  }
}
