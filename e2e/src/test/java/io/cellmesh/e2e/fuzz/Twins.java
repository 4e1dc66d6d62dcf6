package io.cellmesh.e2e.fuzz;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Two spellings of one JSON value: numbers, texts and the order of names may differ. */
record Twins(String one, String other) {
  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "'; DROP TABLE entity; --",
          "\u0000",
          "\u001b[2J",
          "\u009b",
          "\u202e",
          "\ufeff",
          "e\u0301",
          "\ud83d\ude97",
          "BASE ",
          "\\\"",
          "3F2504E0-4f89-11d3-9a0c-0305e82c3301",
          "12.50",
          "100E2147483647",
          "1E-2147483647",
          "\u0661\u0662",
          "NaN");

  private static final List<String> TIMES =
      List.of(
          "2016-01-12T10:00:00+01:00",
          "2016-01-12 09:00:00.123456789",
          "+999999999-12-31T23:59:59-18:00",
          "-999999999-01-01T00:00:00+18:00",
          "9999-12-31T23:59:59-18:00",
          "0999-12-31T23:59:59Z",
          "1000-01-01T00:00:00+00:01",
          "2019-02-30 00:00:00",
          "2016-01-12T24:00:00Z",
          "2016-12-31T23:59:60Z",
          "2016-01-12T10:00:00+18:01",
          "T",
          "2016-01-12T");

  /** Beyond what is taken; also as they stand in stores that are older than the limit. */
  private static final List<String> FAR =
      List.of(
          "1e10001", "1e-10001", "100E2147483647", "1e2147483648", "0e99999999999", "1.5E-999999");

  private static final List<String> TRICKY =
      List.of(
          "9007199254740993",
          "18446744073709551616",
          "4.9e-324",
          "5e-324",
          "1e400",
          "1.7976931348623157e308",
          "0.1000000000000000055511151231257827");

  static Twins of(String text) {
    return new Twins(text, text);
  }

  /** Any value. */
  static Twins value(Random random, int depth) {
    return switch (random.nextInt(depth > 6 ? 8 : 12)) {
      case 0 -> of(List.of("null", "true", "false", "[]", "{}").get(random.nextInt(5)));
      case 1, 2, 3 -> number(random);
      case 4 -> text(TIMES.get(random.nextInt(TIMES.size())), random);
      case 5, 6, 7 -> text(string(random), random);
      case 8 -> array(random, depth);
      default -> object(random, depth);
    };
  }

  static Twins number(Random random) {
    long whole = random.nextLong() >> random.nextInt(64) | 1;
    int exponent = random.nextInt(10_000);
    return switch (random.nextInt(12)) {
      case 0 -> new Twins(Long.toString(whole), whole + ".0");
      case 1 -> new Twins(whole + "e2", whole + "00");
      case 2 -> new Twins("-0", "0.0e5");
      case 3 -> decimal(new BigDecimal(whole).movePointLeft(random.nextInt(30)));
      case 4 -> new Twins(9 + "E" + exponent, "90.0e" + (exponent - 1));
      case 5 -> new Twins("-7E-" + exponent, "-0.7e-" + Math.max(0, exponent - 1)).sane(exponent);
      case 6 -> digits(random);
      case 7 -> of(random.nextInt(8) == 0 ? FAR.get(random.nextInt(FAR.size())) : "1e6");
      case 8 -> binary(Double.longBitsToDouble(random.nextLong()));
      case 9 -> binary(random.nextDouble());
      case 10 -> of(TRICKY.get(random.nextInt(TRICKY.size())));
      default -> new Twins(Integer.toString(random.nextInt(100)), "0").first();
    };
  }

  static Twins array(Random random, int depth) {
    var ones = new ArrayList<String>();
    var others = new ArrayList<String>();
    for (int i = random.nextInt(5); i > 0; i--) {
      var element = value(random, depth + 1);
      ones.add(element.one);
      others.add(element.other);
    }
    return new Twins("[" + String.join(",", ones) + "]", "[ " + String.join(" , ", others) + "]");
  }

  static Twins object(Random random, int depth) {
    var members = new ArrayList<Twins>();
    for (int i = random.nextInt(5); i > 0; i--) {
      // The number tells names apart; one in a hundred is repeated.
      var name = text(string(random) + (random.nextInt(100) == 0 ? 0 : i), random);
      members.add(member(name, value(random, depth + 1)));
    }
    return object(members, random);
  }

  static Twins member(Twins name, Twins value) {
    return new Twins(name.one + ":" + value.one, name.other + "\t:\n" + value.other);
  }

  static Twins object(List<Twins> members, Random random) {
    var turned = new ArrayList<>(members);
    Collections.shuffle(turned, random);
    return new Twins(
        "{" + String.join(",", members.stream().map(Twins::one).toList()) + "}",
        "{" + String.join(",", turned.stream().map(Twins::other).toList()) + "}");
  }

  static Twins text(String text, Random random) {
    return new Twins(quoted(text, 0, random), quoted(text, 3, random));
  }

  static String string(Random random) {
    if (random.nextBoolean()) {
      return TEXTS.get(random.nextInt(TEXTS.size()));
    }
    var text = new StringBuilder();
    for (int i = random.nextInt(random.nextInt(40) == 0 ? 300 : 12); i > 0; i--) {
      int bound = List.of(0x80, 0x100, 0x3000, 0xd800, 0x20000).get(random.nextInt(5));
      text.appendCodePoint(random.nextInt(bound));
    }
    return text.toString();
  }

  private static Twins decimal(BigDecimal value) {
    return new Twins(value.toPlainString(), value.unscaledValue() + "e" + -value.scale());
  }

  private static Twins binary(double value) {
    return Double.isFinite(value)
        ? new Twins(Double.toString(value), new BigDecimal(Double.toString(value)).toString())
        : of("0.5");
  }

  private static Twins digits(Random random) {
    var text = new StringBuilder("1");
    for (int i = 1 + random.nextInt(1_010); i > 0; i--) {
      text.append((char) ('0' + random.nextInt(10)));
    }
    return of(random.nextBoolean() ? text.toString() : "0." + text);
  }

  /** 0.7e-(n-1) is 7e-n; only from 1 on. */
  private Twins sane(int exponent) {
    return exponent == 0 ? first() : this;
  }

  private Twins first() {
    return of(one);
  }

  /**
   * @param escapedOneIn how many of the characters are escaped that need not be; 0 for none
   */
  private static String quoted(String text, int escapedOneIn, Random random) {
    var json = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              boolean must = c < ' ' || c == '"' || c == '\\' || c >= 0xd800 && c < 0xe000;
              if (must || escapedOneIn > 0 && random.nextInt(escapedOneIn) == 0) {
                for (char half : Character.toChars(c)) {
                  json.append("\\u%04x".formatted((int) half));
                }
              } else {
                json.appendCodePoint(c);
              }
            });
    return json.append('"').toString();
  }
}
