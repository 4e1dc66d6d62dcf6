package io.cellmesh.cell;

/**
 * Parses decimals of few digits and without an exponent. Digits and power of ten are whole numbers
 * that a double holds exactly, so that one division rounds to the nearest double, as it should be.
 */
final class ShortDecimal {
  /** A point and 15 digits, or a sign and 14: fewer than 2 to the 53rd can count. */
  static final int MAX_LENGTH = 16;

  private static final double[] POWERS = {
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  private ShortDecimal() {}

  /**
   * The value of a JSON number that has a point, or NaN if it has an exponent.
   *
   * @param length at most {@link #MAX_LENGTH}
   */
  static double parse(char[] text, int offset, int length) {
    boolean negative = text[offset] == '-';
    int end = offset + length;
    long digits = 0;
    int point = end - 1;
    for (int i = negative ? offset + 1 : offset; i < end; i++) {
      char c = text[i];
      if (c == '.') {
        point = i;
      } else if (c >= '0' && c <= '9') {
        digits = digits * 10 + (c - '0');
      } else {
        return Double.NaN;
      }
    }
    double value = digits / POWERS[end - 1 - point];
    return negative ? -value : value;
  }
}
