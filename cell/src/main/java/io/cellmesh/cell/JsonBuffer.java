package io.cellmesh.cell;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * JSON in UTF-8 as it grows. It writes what Jackson's generator would, and copies texts that are
 * UTF-8 already without decoding them.
 */
final class JsonBuffer {
  /** Most bytes that stay allocated from one text to the next. */
  private static final int KEPT = 1 << 18;

  /** The longest number: a sign and nineteen digits, or a double. */
  private static final int LONGEST_NUMBER = 32;

  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

  /** For each byte: 0 to copy it, 'u' for a numeric escape, or the letter of its escape. */
  private static final byte[] ESCAPES = new byte[256];

  static {
    Arrays.fill(ESCAPES, 0, 0x20, (byte) 'u');
    ESCAPES['\b'] = 'b';
    ESCAPES['\t'] = 't';
    ESCAPES['\n'] = 'n';
    ESCAPES['\f'] = 'f';
    ESCAPES['\r'] = 'r';
    ESCAPES['"'] = '"';
    ESCAPES['\\'] = '\\';
  }

  private byte[] array = new byte[1024];
  private int length;

  void clear() {
    if (array.length > KEPT) {
      array = new byte[1024];
    }
    length = 0;
  }

  int length() {
    return length;
  }

  /** Takes back what was written behind a length that there was before. */
  void cut(int to) {
    length = to;
  }

  /** What was written since a length that there was before. */
  byte[] toBytes(int from) {
    return Arrays.copyOfRange(array, from, length);
  }

  /** What it is written to; it is another one once it has grown. */
  byte[] array() {
    return array;
  }

  byte[] toBytes() {
    return Arrays.copyOf(array, length);
  }

  /** As it stands, for punctuation and literals; ASCII only. */
  @SuppressWarnings("deprecation")
  void ascii(String text) {
    ensure(text.length());
    // Takes the low bytes as they are, which is what ASCII is.
    text.getBytes(0, text.length(), array, length);
    length += text.length();
  }

  void ascii(char c) {
    ensure(1);
    array[length++] = (byte) c;
  }

  void raw(byte[] bytes) {
    raw(bytes, 0, bytes.length);
  }

  void raw(byte[] bytes, int offset, int count) {
    ensure(count);
    System.arraycopy(bytes, offset, array, length, count);
    length += count;
  }

  void number(long value) {
    ensure(LONGEST_NUMBER);
    length = NumberOutput.outputLong(value, array, length);
  }

  /** By its shortest digits. */
  void number(double value) {
    ascii(NumberOutput.toString(value, true));
  }

  void string(String text) {
    var utf8 = Json.utf8(text);
    string(utf8, 0, utf8.length);
  }

  /** A text in UTF-8, with quotes around it and escapes where JSON wants them. */
  void string(byte[] utf8, int offset, int count) {
    ensure(count + 2);
    array[length++] = '"';
    int end = offset + count;
    int copied = offset;
    for (int i = offset; i < end; i++) {
      byte escape = ESCAPES[utf8[i] & 0xff];
      if (escape != 0) {
        raw(utf8, copied, i - copied);
        escape(escape, utf8[i]);
        copied = i + 1;
      }
    }
    raw(utf8, copied, end - copied);
    ascii('"');
  }

  private void escape(byte letter, byte value) {
    ensure(6);
    array[length++] = '\\';
    array[length++] = letter;
    if (letter == 'u') {
      array[length++] = '0';
      array[length++] = '0';
      array[length++] = HEX[value >> 4];
      array[length++] = HEX[value & 0xf];
    }
  }

  private void ensure(int more) {
    if (length + more > array.length) {
      array = Arrays.copyOf(array, Math.max(length + more, array.length * 2));
    }
  }
}
