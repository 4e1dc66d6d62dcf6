package io.cellmesh.cell;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Bounded inflation: deflate reaches 1000:1, so the size is counted while the bytes come out. */
final class Zlib {
  private Zlib() {}

  static byte[] inflate(byte[] data, int offset, int limit) {
    var inflater = new Inflater();
    try {
      inflater.setInput(data, offset, data.length - offset);
      var out = new byte[Math.min(limit, Math.max(256, (data.length - offset) * 4))];
      int length = 0;
      while (true) {
        length += inflater.inflate(out, length, out.length - length);
        if (inflater.finished()) {
          return Arrays.copyOf(out, length);
        }
        if (inflater.needsInput() || inflater.needsDictionary()) {
          throw new IllegalStateException("a stored body is cut short");
        }
        if (length == out.length) {
          if (length >= limit) {
            throw new IllegalStateException("a stored body inflates to over " + limit + " bytes");
          }
          out = Arrays.copyOf(out, Math.min(limit, out.length * 2));
        }
      }
    } catch (DataFormatException e) {
      throw new IllegalStateException("a stored body is damaged: " + e.getMessage(), e);
    } finally {
      inflater.end();
    }
  }
}
