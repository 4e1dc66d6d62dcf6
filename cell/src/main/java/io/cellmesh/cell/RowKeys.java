package io.cellmesh.cell;

import java.util.UUID;

/** The one text of a row key: a UUID in its 36 lower-case characters. */
final class RowKeys {
  private static final int LENGTH = 36;

  private RowKeys() {}

  /** The row key of a text, or null if it is none. */
  static UUID parse(String text) {
    if (text.length() != LENGTH) {
      return null;
    }
    long high = 0;
    long low = 0;
    for (int i = 0; i < LENGTH; i++) {
      char c = text.charAt(i);
      if (i == 8 || i == 13 || i == 18 || i == 23) {
        if (c != '-') {
          return null;
        }
        continue;
      }
      int digit = digit(c);
      if (digit < 0) {
        return null;
      }
      if (i < 18) {
        high = high << 4 | digit;
      } else {
        low = low << 4 | digit;
      }
    }
    return new UUID(high, low);
  }

  /** Whether the bytes are the text, which is ASCII. */
  static boolean same(byte[] key, String text) {
    if (key.length != text.length()) {
      return false;
    }
    for (int i = 0; i < key.length; i++) {
      if (key[i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static int digit(char c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  }
}
