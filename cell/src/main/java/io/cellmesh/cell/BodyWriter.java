package io.cellmesh.cell;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Writes inflated MessagePack as JSON; the inverse of {@link BodyReader}. Texts stay UTF-8 on the
 * way. What is damaged is refused, so that whatever comes out is JSON.
 */
class BodyWriter {
  /** As JSON writes a number. */
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?");

  private final byte[] in;
  private final int end;
  private final JsonBuffer out;
  private int at;

  BodyWriter(byte[] in, int end, JsonBuffer out) {
    this.in = in;
    this.end = end;
    this.out = out;
  }

  /**
   * Writes the one value of the first bytes.
   *
   * @throws IllegalStateException if they are not what {@link BodyReader} wrote; its message says
   *     what is wrong, and nothing of the value
   */
  static void write(byte[] msgpack, int length, JsonBuffer out) {
    new BodyWriter(msgpack, length, out).write();
  }

  /** Writes the one value; as {@link #write(byte[], int, JsonBuffer)}. */
  final void write() {
    value(0);
    if (at != end) {
      throw damaged();
    }
  }

  final void value(int depth) {
    if (depth > BodyReader.MAX_DEPTH) {
      throw damaged();
    }
    int head = next();
    if (head <= 0x7f) {
      number(head);
    } else if (head >= 0xe0) {
      number((byte) head);
    } else if (head <= 0x8f) {
      map(head & 0xf, depth);
    } else if (head <= 0x9f) {
      list(head & 0xf, depth);
    } else if (head <= 0xbf) {
      text(head & 0x1f);
    } else {
      sized(head, depth);
    }
  }

  private void sized(int head, int depth) {
    switch (head) {
      case 0xc0 -> out.ascii("null");
      case 0xc2 -> out.ascii("false");
      case 0xc3 -> out.ascii("true");
      case 0xc8 -> exact((int) bigEndian(2));
      case 0xcb -> finite(Double.longBitsToDouble(bigEndian(8)));
      case 0xd0 -> number((byte) bigEndian(1));
      case 0xd1 -> number((short) bigEndian(2));
      case 0xd2 -> number((int) bigEndian(4));
      case 0xd3 -> number(bigEndian(8));
      case 0xd9 -> text(bigEndian(1));
      case 0xda -> text(bigEndian(2));
      case 0xdb -> text(bigEndian(4));
      case 0xdc -> list(bigEndian(2), depth);
      case 0xdd -> list(bigEndian(4), depth);
      case 0xde -> map(bigEndian(2), depth);
      case 0xdf -> map(bigEndian(4), depth);
      default ->
          throw new IllegalStateException(
              "a stored body has the unknown type 0x" + Integer.toHexString(head));
    }
  }

  private void finite(double value) {
    if (!Double.isFinite(value)) {
      throw damaged("it has %s where a number was".formatted(value));
    }
    number(value);
  }

  void number(long value) {
    out.number(value);
  }

  void number(double value) {
    out.number(value);
  }

  /** Writes a number that neither a 64-bit integer nor a double holds, from its text. */
  void exact(byte[] bytes, int start, int size) {
    out.raw(bytes, start, size);
  }

  void map(long count, int depth) {
    out.ascii('{');
    for (long i = 0; i < count; i++) {
      if (i > 0) {
        out.ascii(',');
      }
      name();
      out.ascii(':');
      value(depth + 1);
    }
    out.ascii('}');
  }

  /** Writes a member's name; returns where its text begins, which ends {@link #at here}. */
  final int name() {
    int head = next();
    if (head >= 0xa0 && head <= 0xbf) {
      return text(head & 0x1f);
    }
    return switch (head) {
      case 0xd9 -> text(bigEndian(1));
      case 0xda -> text(bigEndian(2));
      case 0xdb -> text(bigEndian(4));
      default -> throw damaged();
    };
  }

  /** Where the next value begins. */
  final int at() {
    return at;
  }

  void list(long count, int depth) {
    out.ascii('[');
    for (long i = 0; i < count; i++) {
      if (i > 0) {
        out.ascii(',');
      }
      value(depth + 1);
    }
    out.ascii(']');
  }

  private int text(long size) {
    int start = skip(size);
    if (!isUtf8(start, (int) size)) {
      throw damaged("a text in it is no UTF-8");
    }
    out.string(in, start, (int) size);
    return start;
  }

  private boolean isUtf8(int start, int size) {
    int all = 0;
    for (int i = start; i < start + size; i++) {
      all |= in[i];
    }
    if (all >= 0) {
      return true;
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(in, start, size));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private void exact(int size) {
    int type = next();
    if (type != MsgpackBuffer.EXACT) {
      throw new IllegalStateException("a stored body has the unknown extension " + type);
    }
    int start = skip(size);
    if (!NUMBER.matcher(new String(in, start, size, StandardCharsets.US_ASCII)).matches()) {
      throw damaged("an exact number in it is no number");
    }
    exact(in, start, size);
  }

  private int next() {
    return in[skip(1)] & 0xff;
  }

  private long bigEndian(int width) {
    int start = skip(width);
    long value = 0;
    for (int i = start; i < start + width; i++) {
      value = value << 8 | in[i] & 0xff;
    }
    return value;
  }

  /** Passes so many bytes, and returns where they begin. */
  private int skip(long count) {
    if (count > end - at) {
      throw damaged();
    }
    int start = at;
    at += (int) count;
    return start;
  }

  static IllegalStateException damaged() {
    return new IllegalStateException("a stored body is damaged");
  }

  private static IllegalStateException damaged(String what) {
    return new IllegalStateException("a stored body is damaged: " + what);
  }
}
