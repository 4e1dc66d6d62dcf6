package io.cellmesh.e2e.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;

/** Draws records as producers of all kinds may send them: most are good, and each is odd. */
public final class RandomEnvelopes {
  /** The columns that indexes look at. */
  private static final List<String> COLUMNS = List.of("BASE", "STATUS");

  private final Random random;

  public RandomEnvelopes(long seed) {
    this.random = new Random(seed);
  }

  /**
   * A record and another spelling of the same one.
   *
   * @param mended whether all of it but the body is as it should be, so that the spellings are
   *     equal
   */
  public record Drawn(byte[] key, byte[] value, byte[] respelled, boolean mended) {}

  public Drawn next() {
    var row = new UUID(random.nextLong(), random.nextLong());
    var key = row.toString();
    boolean mended = random.nextInt(4) > 0;
    var rowText = mended ? key : rowKey(key);
    var column = Twins.text(column(mended), random);
    var ref = mended ? Long.toString(random.nextInt(6)) : refKey();
    var body = body();
    var one = envelope(rowText, column.one(), ref, body.one(), mended ? "" : extra());
    var other = envelope(rowText, column.other(), ref, body.other(), "");
    var bytes = mended ? one.getBytes(StandardCharsets.UTF_8) : encoded(one);
    return new Drawn(
        key.getBytes(StandardCharsets.US_ASCII),
        bytes,
        other.getBytes(StandardCharsets.UTF_8),
        mended);
  }

  private static String envelope(String row, String column, String ref, String body, String extra) {
    return "{\"row_key\":\"%s\",\"column_name\":%s,\"ref_key\":%s,\"body\":%s%s}"
        .formatted(row, column, ref, body, extra);
  }

  private String rowKey(String key) {
    return switch (random.nextInt(8)) {
      case 0 -> key.toUpperCase(Locale.ROOT);
      case 1 -> key.substring(1);
      case 2 -> key.replace('-', '\u0661');
      case 3 -> UUID.randomUUID().toString();
      default -> key;
    };
  }

  private String column(boolean mended) {
    if (random.nextInt(3) > 0) {
      return COLUMNS.get(random.nextInt(2));
    }
    var name = Twins.string(random);
    return mended ? "c" + name.substring(0, Math.min(name.length(), 20)) : name;
  }

  private String refKey() {
    return List.of(
            "1",
            "-1",
            "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808",
            "1.0",
            "1e2",
            "\"1\"",
            "null",
            "[]",
            "99999999999999999999999999")
        .get(random.nextInt(11));
  }

  private String extra() {
    return List.of(
            "",
            "",
            "",
            ",\"v\":1",
            ",\"v\":2",
            ",\"v\":1.0",
            ",\"origin\":\"dc1\"",
            ",\"shard\":-1",
            ",\"row_key\":1",
            ",\"\\u0000\":{}",
            ",\"origin_id\":-1",
            ",")
        .get(random.nextInt(12));
  }

  private Twins body() {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> Twins.value(random, 0);
      case 3 -> deep(1 + random.nextInt(105));
      case 4 -> large();
      default -> indexed();
    };
  }

  private Twins deep(int depth) {
    var inner = Twins.number(random);
    return random.nextBoolean()
        ? new Twins(
            "[".repeat(depth) + inner.one() + "]".repeat(depth),
            "[ ".repeat(depth) + inner.other() + "]".repeat(depth))
        : new Twins(
            "{\"a\":".repeat(depth) + inner.one() + "}".repeat(depth),
            "{\"\\u0061\": ".repeat(depth) + inner.other() + "}".repeat(depth));
  }

  /** About the limit, as sent or as written. */
  private Twins large() {
    var element = random.nextBoolean() ? Twins.of("1e6") : Twins.number(random);
    int count = (FuzzTest.LIMIT + random.nextInt(200) - 100) / (element.one().length() + 1);
    return new Twins(
        "[" + "%s,".formatted(element.one()).repeat(Math.max(0, count)) + "1]",
        "[" + "%s,".formatted(element.other()).repeat(Math.max(0, count)) + "1.0]");
  }

  /** What indexes look for, mostly of the type that they want. */
  private Twins indexed() {
    var members = new ArrayList<Twins>();
    for (var field : List.of("who", "name", "count", "ratio", "fare", "paid", "at")) {
      if (random.nextInt(5) > 0) {
        members.add(Twins.member(Twins.text(field, random), field(field)));
      }
    }
    return Twins.object(members, random);
  }

  private Twins field(String name) {
    if (random.nextInt(6) == 0) {
      return Twins.value(random, 4);
    }
    return switch (name) {
      case "who" -> Twins.text(new UUID(1, random.nextInt(3)).toString(), random);
      case "name" -> Twins.text(Twins.string(random), random);
      case "paid" -> Twins.of(random.nextBoolean() ? "true" : "false");
      case "at" -> Twins.text("2016-01-12T09:00:0" + random.nextInt(10) + "Z", random);
      default -> Twins.number(random);
    };
  }

  private byte[] encoded(String text) {
    var utf8 = text.getBytes(StandardCharsets.UTF_8);
    return switch (random.nextInt(10)) {
      case 0 -> text.getBytes(StandardCharsets.UTF_16);
      case 1 -> text.getBytes(StandardCharsets.ISO_8859_1);
      case 2 -> Arrays.copyOf(utf8, random.nextInt(utf8.length + 3));
      case 3 -> {
        utf8[random.nextInt(utf8.length)] = (byte) random.nextInt(256);
        yield utf8;
      }
      case 4 -> ("\ufeff" + text).getBytes(StandardCharsets.UTF_8);
      default -> utf8;
    };
  }
}
