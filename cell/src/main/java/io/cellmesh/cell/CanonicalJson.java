package io.cellmesh.cell;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** One text for all JSON texts that are equal: names sorted, numbers by value, no white space. */
final class CanonicalJson extends BodyWriter {
  private final byte[] in;
  private final JsonBuffer out;

  private CanonicalJson(byte[] msgpack, int length, JsonBuffer out) {
    super(msgpack, length, out);
    this.in = msgpack;
    this.out = out;
  }

  /**
   * Writes the one value of the first bytes.
   *
   * @throws IllegalStateException if they are not what {@link BodyReader} wrote
   */
  static void write(byte[] msgpack, int length, JsonBuffer out) {
    new CanonicalJson(msgpack, length, out).write();
  }

  /** A member as it stands in the text; names are compared as they are without escapes. */
  private record Member(String name, int begin, int end) {
    private static final Comparator<Member> BY_NAME = Comparator.comparing(Member::name);
  }

  /** Writes the members as they come, and again in their order if that is another one. */
  @Override
  void map(long count, int depth) {
    out.ascii('{');
    int begin = out.length();
    var members = new Member[Math.toIntExact(Math.min(count, in.length))];
    boolean sorted = true;
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        out.ascii(',');
      }
      members[i] = member(depth);
      sorted &= i == 0 || Member.BY_NAME.compare(members[i - 1], members[i]) < 0;
    }
    if (!sorted) {
      sort(members, begin);
    }
    out.ascii('}');
  }

  private Member member(int depth) {
    int begin = out.length();
    int from = name();
    var name = new String(in, from, at() - from, StandardCharsets.UTF_8);
    out.ascii(':');
    value(depth + 1);
    return new Member(name, begin, out.length());
  }

  private void sort(Member[] members, int begin) {
    var unsorted = out.toBytes(begin);
    out.cut(begin);
    Arrays.sort(members, Member.BY_NAME);
    for (int i = 0; i < members.length; i++) {
      if (i > 0) {
        out.ascii(',');
      }
      out.raw(unsorted, members[i].begin() - begin, members[i].end() - members[i].begin());
    }
  }

  /** With a comma behind each element, as digests that are stored have it. */
  @Override
  void list(long count, int depth) {
    out.ascii('[');
    for (long i = 0; i < count; i++) {
      value(depth + 1);
      out.ascii(',');
    }
    out.ascii(']');
  }

  @Override
  void number(long value) {
    if (value != 0 && value % 10 == 0) {
      out.ascii(text(BigDecimal.valueOf(value)));
    } else {
      super.number(value);
    }
  }

  /** The number that the shortest digits say, which is what the log carries. */
  @Override
  void number(double value) {
    int begin = out.length();
    super.number(value);
    number(out.array(), begin, out.length() - begin, begin);
  }

  @Override
  void exact(byte[] bytes, int start, int size) {
    number(bytes, start, size, out.length());
  }

  private void number(byte[] bytes, int start, int size, int to) {
    var number = decimal(new String(bytes, start, size, StandardCharsets.US_ASCII));
    out.cut(to);
    out.ascii(text(number));
  }

  /** Its exponent may be beyond what arithmetic can hold. */
  private static BigDecimal decimal(String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw damaged();
    }
  }

  /**
   * By value, without ever writing out an exponent: one of 32 bits would be gigabytes of zeros, and
   * as much beyond what arithmetic can hold as the number has zeros at its end.
   */
  private static String text(BigDecimal value) {
    if (value.signum() == 0) {
      return "0";
    }
    var digits = new BigDecimal(value.unscaledValue()).stripTrailingZeros();
    long scale = (long) value.scale() + digits.scale();
    return scale == (int) scale
        ? new BigDecimal(digits.unscaledValue(), (int) scale).toString()
        : digits.unscaledValue() + "E" + -scale;
  }
}
