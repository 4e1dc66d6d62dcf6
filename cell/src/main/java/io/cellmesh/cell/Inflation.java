package io.cellmesh.cell;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Bounded inflation: deflate reaches 1000:1, so the size is counted while the bytes come out. It
 * holds native memory until it is closed and serves one thread.
 */
final class Inflation implements AutoCloseable {
  /** Most bytes that stay allocated from one body to the next. */
  private static final int KEPT = 1 << 18;

  private final Inflater inflater = new Inflater();
  private byte[] array = new byte[1024];

  /** For one alone. */
  static byte[] once(byte[] data, int offset, int limit) {
    try (var inflation = new Inflation()) {
      int length = inflation.inflate(data, offset, limit);
      return Arrays.copyOf(inflation.array, length);
    }
  }

  /** What {@link #inflate} has filled; it keeps until the next call. */
  byte[] array() {
    return array;
  }

  /**
   * Inflates to {@link #array}.
   *
   * @return how many bytes it has there
   * @throws IllegalStateException if that is over the limit, or the data is damaged
   */
  int inflate(byte[] data, int offset, int limit) {
    if (array.length > KEPT) {
      array = new byte[1024];
    }
    try {
      inflater.reset();
      inflater.setInput(data, offset, data.length - offset);
      int length = 0;
      while (true) {
        length += inflater.inflate(array, length, Math.min(limit, array.length) - length);
        if (inflater.finished()) {
          return length;
        }
        if (inflater.needsInput() || inflater.needsDictionary()) {
          throw new IllegalStateException("a stored body is cut short");
        }
        if (length >= limit) {
          throw new IllegalStateException("a stored body inflates to over " + limit + " bytes");
        }
        if (length == array.length) {
          array = Arrays.copyOf(array, array.length * 2);
        }
      }
    } catch (DataFormatException e) {
      throw new IllegalStateException("a stored body is damaged: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    inflater.end();
  }
}
