package io.cellmesh.client;

/** Texts of others in messages, shortened. */
final class Shortened {
  private static final int SHOWN = 200;

  private Shortened() {}

  static String of(String text) {
    return text.codePointCount(0, text.length()) <= SHOWN
        ? text
        : text.substring(0, text.offsetByCodePoints(0, SHOWN)) + "…";
  }
}
