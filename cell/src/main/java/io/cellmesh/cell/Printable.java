package io.cellmesh.cell;

import java.util.Locale;

/**
 * Makes text that came from outside fit to be shown: what a terminal or a log would obey, hide or
 * break at stands there as a JSON escape such as {@code \u001b}. So JSON stays equal JSON.
 */
public final class Printable {
  private static final int FIRST_BEYOND_ASCII = 0x80;

  private Printable() {}

  /** Escapes everything that is not to be shown as it is, line breaks too. */
  public static String of(String text) {
    return escaped(text, false);
  }

  /** As {@link #of}, but keeps line feeds and tabs, for a text that was laid out here. */
  public static String lines(String text) {
    return escaped(text, true);
  }

  private static String escaped(String text, boolean layout) {
    int clean = 0;
    while (clean < text.length() && isPlain(text.charAt(clean))) {
      clean++;
    }
    if (clean == text.length()) {
      return text;
    }
    var shown = new StringBuilder(text.length() + 16).append(text, 0, clean);
    text.codePoints()
        .skip(text.codePointCount(0, clean))
        .forEach(
            c -> {
              if (isShown(c) || layout && (c == '\n' || c == '\t')) {
                shown.appendCodePoint(c);
              } else {
                for (char half : Character.toChars(c)) {
                  shown.append(String.format(Locale.ROOT, "\\u%04x", (int) half));
                }
              }
            });
    return shown.toString();
  }

  private static boolean isPlain(char c) {
    return c >= ' ' && c < FIRST_BEYOND_ASCII - 1;
  }

  /**
   * Format characters turn the direction of what follows, or are not seen at all: two names that
   * differ must look different.
   */
  private static boolean isShown(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
