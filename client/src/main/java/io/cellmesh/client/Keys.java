package io.cellmesh.client;

import io.cellmesh.cell.Printable;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** How the parts of keys travel. */
final class Keys {
  /**
   * What servers and proxies take for structure even where it is encoded; a column with one of
   * these is told in a body.
   */
  private static final String UNSAFE_IN_A_PATH = "/\\%;";

  private static final Set<String> DOTS = Set.of(".", "..");

  private Keys() {}

  /**
   * @throws IllegalArgumentException for a lone surrogate, which would arrive as another name
   */
  static void check(String column) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(column)) {
      throw new IllegalArgumentException(
          "column_name = \"%s\": it has a lone surrogate".formatted(Printable.of(column)));
    }
  }

  static boolean fitsPath(String column) {
    return !column.isEmpty()
        && !DOTS.contains(column)
        && column
            .chars()
            .noneMatch(c -> Character.isISOControl(c) || UNSAFE_IN_A_PATH.indexOf(c) >= 0);
  }

  /** Percent-encodes a part of a path or of a query. */
  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
