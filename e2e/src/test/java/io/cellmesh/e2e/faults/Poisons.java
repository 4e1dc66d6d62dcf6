package io.cellmesh.e2e.faults;

import static io.cellmesh.e2e.faults.Poison.envelope;
import static io.cellmesh.e2e.faults.Poison.quoted;
import static io.cellmesh.e2e.faults.Poison.refused;
import static io.cellmesh.e2e.faults.Poison.rejected;
import static io.cellmesh.e2e.faults.Poison.stored;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;

/** Every kind of poison once; each round with rows of its own. */
final class Poisons {
  private static final int LIMIT = 1 << 20;
  private static final String EMOJI = "\ud83d\ude97";

  private static final List<String> METACHARACTERS =
      List.of(
          "'; DROP TABLE entity; --",
          "\" OR \"\"=\"",
          "\\",
          "\\'",
          "%",
          "_",
          "`",
          "--",
          "/*",
          "#",
          "?",
          ":1",
          "${x}",
          "{fn now()}",
          "\u0000",
          "a\u0000b",
          "\r\n\t\u001a",
          EMOJI,
          "BASE ",
          " BASE",
          "\u00e9",
          "e\u0301",
          "\u200b",
          "\ufeff");

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-0",
          "-0.0",
          "9223372036854775807",
          "-9223372036854775808",
          "9223372036854775808",
          "18446744073709551616",
          "9007199254740993",
          "0.1",
          "1.00",
          "1E+2",
          "1e400",
          "-1e-400",
          "4.9e-324",
          "1.7976931348623157e308",
          "123456789012345678901234567890.12345678901234567890",
          "9".repeat(900),
          "1e10000",
          "-1.5E-10000");

  private final Random random;
  private final List<Poison> round = new ArrayList<>();

  private Poisons(Random random) {
    this.random = random;
  }

  static List<Poison> round(Random random) {
    var poisons = new Poisons(random);
    poisons.names();
    poisons.bodies();
    poisons.numbers();
    poisons.depths();
    poisons.brokenJson();
    poisons.brokenRules();
    poisons.sameKey();
    poisons.spread(Poisons::sizes);
    return poisons.round;
  }

  /**
   * Lays them evenly among the others: ten megabytes within a second would be a test of the disk.
   */
  private void spread(Consumer<Poisons> kind) {
    int others = round.size();
    kind.accept(this);
    var kept = round.subList(others, round.size());
    var spread = List.copyOf(kept);
    kept.clear();
    for (int i = 0; i < spread.size(); i++) {
      round.add((i + 1) * others / (spread.size() + 1) + i, spread.get(i));
    }
  }

  private void names() {
    var row = row();
    for (var name : METACHARACTERS) {
      round.add(stored("name " + quoted(name), row, name, 1, "{" + quoted(name) + ":1}"));
    }
    for (var name : List.of("BASE", "base", "Base", EMOJI.repeat(64))) {
      round.add(stored("name " + name, row, name, 1, quoted(name)));
    }
    for (long ref : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
      round.add(stored("ref_key " + ref, row, "REF", ref, Long.toString(ref)));
    }
    round.add(rejected("long name", row(), "x".repeat(65), 1, "1", "over 64 characters"));
    round.add(rejected("empty name", row(), "", 1, "1", "column_name"));
  }

  private void bodies() {
    var row = row();
    long ref = 0;
    for (var text : METACHARACTERS) {
      var json = quoted(text);
      round.add(
          stored(
              "text " + json,
              row,
              "TEXT",
              ++ref,
              "{%s:[%s,{%s:null}]}".formatted(json, json, json)));
    }
    for (var scalar : List.of("null", "true", "false", "\"\"", "[]", "{}", "[[],{}]", " 1 ")) {
      round.add(stored("body " + scalar, row, "SCALAR", ++ref, scalar));
    }
  }

  private void numbers() {
    var row = row();
    long ref = 0;
    for (var number : NUMBERS) {
      round.add(stored("number", row, "NUMBER", ++ref, number));
      round.add(
          stored("numbers", row, "NUMBERS", ref, "[%s,{\"n\":%s}]".formatted(number, number)));
    }
    for (var exponent : List.of("10001", "-10001", "999999999", "2147483647", "2147483648")) {
      round.add(rejected("exponent", row(), "BASE", 1, "1e" + exponent, "±10,000"));
    }
    round.add(rejected("2,000 digits", row(), "BASE", 1, "9".repeat(2_000), "a number over"));
    round.add(rejected("NaN", row(), "BASE", 1, "NaN", "not JSON"));
  }

  private void sizes() {
    // Two quotes belong to the body.
    round.add(stored("just under", row(), "BASE", 1, quoted("a".repeat(LIMIT - 2))));
    round.add(stored("just under, random", row(), "BASE", 1, quoted(noise(LIMIT - 2))));
    round.add(rejected("just over", row(), "BASE", 1, quoted("a".repeat(LIMIT - 1)), "limit"));
    round.add(rejected("just over, random", row(), "BASE", 1, quoted(noise(LIMIT - 1)), "limit"));
    round.add(rejected("far over", row(), "BASE", 1, quoted("a".repeat(3 * LIMIT)), "limit"));
    var blank = "[" + " ".repeat(LIMIT - 2) + "]";
    round.add(stored("blank just under", row(), "BASE", 1, blank));
    round.add(stored("blank over", row(), "BASE", 1, blank.replace("[", "[  ")));
    var grows = "[" + "1e6,".repeat(LIMIT / 5) + "1]";
    round.add(rejected("over once written", row(), "BASE", 1, grows, "limit"));
    round.add(stored("many elements", row(), "BASE", 1, "[" + "0.5,".repeat(LIMIT / 4 - 2) + "1]"));
  }

  private void depths() {
    round.add(stored("depth 100", row(), "BASE", 1, "[".repeat(100) + "]".repeat(100)));
    for (int depth : new int[] {101, 10_000}) {
      var arrays = "[".repeat(depth) + "]".repeat(depth);
      round.add(rejected("arrays " + depth, row(), "BASE", 1, arrays, "nested"));
      var objects = "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
      round.add(rejected("objects " + depth, row(), "BASE", 1, objects, "nested"));
    }
    round.add(refused("nothing but depth", row(), "[".repeat(100_000), "record"));
  }

  private void brokenJson() {
    var row = row();
    for (var body :
        List.of(
            "{\"a\":",
            "{'a':1}",
            "{\"a\":1,}",
            "[1 2]",
            "tru",
            "\"\\ud800\"",
            "\"\\x\"",
            "{\"a\":1,\"a\":2}",
            "01",
            "+1",
            ".5",
            "\"\u0000\"")) {
      round.add(rejected("body " + body, row, "BASE", 1, body, ""));
    }
    for (var value : List.of("", "null", "[]", "\u0000", "'; DROP TABLE entity; --", "{}")) {
      round.add(refused("value " + value, row, value, ""));
    }
    round.add(refused("no value", row, null, "null"));
    round.add(refused("two values", row, envelope(row, "BASE", 1, "1") + "{}", "record"));
    var latin = envelope(row, "BASE", 1, "\"\u00e9\"").getBytes(StandardCharsets.ISO_8859_1);
    round.add(new Poison("not UTF-8", key(row), latin, new Poison.Fate.Rejected("")));
  }

  private void brokenRules() {
    var row = row();
    var sql = quoted("'; DROP TABLE entity; --");
    var good = envelope(row, "BASE", 1, "1");
    round.add(refused("row_key", row, good.replace("\"" + row + "\"", sql), "row_key"));
    round.add(
        refused(
            "ref_key text", row, good.replace("\"ref_key\":1", "\"ref_key\":" + sql), "ref_key"));
    round.add(
        refused(
            "ref_key large",
            row,
            good.replace("\"ref_key\":1", "\"ref_key\":9223372036854775808"),
            "ref_key"));
    round.add(
        refused("ref_key 1.5", row, good.replace("\"ref_key\":1", "\"ref_key\":1.5"), "ref_key"));
    round.add(refused("field", row, good.replace("\"body\"", sql), "unknown field"));
    round.add(
        refused(
            "origin", row, good.replace("\"body\"", "\"origin\":" + sql + ",\"body\""), "origin"));
    round.add(refused("shard", row, good.replace("\"body\"", "\"shard\":1,\"body\""), "shard"));
    round.add(refused("other key", row(), good, "row_key"));
  }

  private void sameKey() {
    var row = row();
    var body = "{\"a\":1.0,\"b\":[2]}";
    round.add(stored("first", row, "BASE", 1, body));
    round.add(stored("again, names turned round", row, "BASE", 1, "{\"b\":[2],\"a\":1}"));
    round.add(rejected("conflict", row, "BASE", 1, "{\"a\":1.1,\"b\":[2]}", "another body"));
  }

  private String noise(int length) {
    var text = new StringBuilder(length);
    while (text.length() < length) {
      text.append((char) ('0' + random.nextInt(75) % 43));
    }
    return text.toString().replace('\\', '/');
  }

  private UUID row() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  private static byte[] key(UUID row) {
    return row.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
