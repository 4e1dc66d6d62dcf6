package io.cellmesh.cell;

import java.util.Arrays;

/**
 * Writes MessagePack (its specification: msgpack.org, spec.md) while the size of a map or an array
 * is known only at its end: one byte is kept free for the header, and the content is moved in the
 * rare case that it needs more.
 */
final class MsgpackBuffer {
  /** Extension type of a number that neither a 64-bit integer nor a double holds: its JSON text. */
  static final byte EXACT = 1;

  /** Most bytes that stay allocated from one body to the next. */
  private static final int KEPT = 1 << 16;

  private byte[] array = new byte[1024];
  private int length;
  private int longestText;

  void clear() {
    if (array.length > KEPT) {
      array = new byte[1024];
    }
    length = 0;
    longestText = 0;
  }

  byte[] array() {
    return array;
  }

  int length() {
    return length;
  }

  /** Bytes of the longest text. */
  int longestText() {
    return longestText;
  }

  void nil() {
    put(0xc0);
  }

  void bool(boolean value) {
    put(value ? 0xc3 : 0xc2);
  }

  void integer(long value) {
    if (-32 <= value && value <= 127) {
      put((int) value);
    } else if (value == (byte) value) {
      put(0xd0);
      bigEndian(value, 1);
    } else if (value == (short) value) {
      put(0xd1);
      bigEndian(value, 2);
    } else if (value == (int) value) {
      put(0xd2);
      bigEndian(value, 4);
    } else {
      put(0xd3);
      bigEndian(value, 8);
    }
  }

  void decimal(double value) {
    put(0xcb);
    bigEndian(Double.doubleToRawLongBits(value), 8);
  }

  void exact(String number) {
    var text = Json.utf8(number);
    put(0xc8);
    bigEndian(text.length, 2);
    put(EXACT);
    bytes(text);
  }

  void string(String value) {
    var text = Json.utf8(value);
    textHeader(text.length);
    bytes(text);
  }

  /** Writes a text if it is ASCII; otherwise writes nothing and returns false. */
  boolean ascii(char[] chars, int offset, int count) {
    int before = length;
    textHeader(count);
    ensure(count);
    int all = 0;
    for (int i = 0; i < count; i++) {
      char c = chars[offset + i];
      all |= c;
      array[length + i] = (byte) c;
    }
    boolean ascii = all < 0x80;
    length = ascii ? length + count : before;
    return ascii;
  }

  private void textHeader(int size) {
    longestText = Math.max(longestText, size);
    if (size < 32) {
      put(0xa0 | size);
    } else if (size < 1 << 8) {
      put(0xd9);
      bigEndian(size, 1);
    } else if (size < 1 << 16) {
      put(0xda);
      bigEndian(size, 2);
    } else {
      put(0xdb);
      bigEndian(size, 4);
    }
  }

  /** Opens a map or an array; what it returns goes to {@link #endMap} or {@link #endArray}. */
  int begin() {
    put(0);
    return length;
  }

  void endMap(int start, int count) {
    end(start, count, 0x80, 0xde);
  }

  void endArray(int start, int count) {
    end(start, count, 0x90, 0xdc);
  }

  private void end(int start, int count, int fixed, int sized) {
    if (count < 16) {
      array[start - 1] = (byte) (fixed | count);
      return;
    }
    int width = count < 1 << 16 ? 2 : 4;
    int content = length - start;
    ensure(width);
    System.arraycopy(array, start, array, start + width, content);
    array[start - 1] = (byte) (width == 2 ? sized : sized + 1);
    length = start;
    bigEndian(count, width);
    length += content;
  }

  private void put(int value) {
    ensure(1);
    array[length++] = (byte) value;
  }

  private void bigEndian(long value, int width) {
    ensure(width);
    for (int shift = (width - 1) * 8; shift >= 0; shift -= 8) {
      array[length++] = (byte) (value >>> shift);
    }
  }

  private void bytes(byte[] bytes) {
    ensure(bytes.length);
    System.arraycopy(bytes, 0, array, length, bytes.length);
    length += bytes.length;
  }

  private void ensure(int more) {
    if (length + more > array.length) {
      array = Arrays.copyOf(array, Math.max(length + more, array.length * 2));
    }
  }
}
