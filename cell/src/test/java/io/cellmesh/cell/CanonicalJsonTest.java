package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-0",
          "-0.0",
          "0e99",
          "1",
          "10",
          "1.0",
          "1e1",
          "-120",
          "1.50",
          "0.1",
          "1e400",
          "9007199254740993",
          "9007199254740993.0",
          "9223372036854775807",
          "18446744073709551616",
          "18446744073709552000",
          "1.8446744073709552E19",
          "1e22",
          "1e-300",
          "123456789012345678.0",
          "0.30000000000000004",
          "0.300000000000000040",
          "5e-324",
          "1E9999");
  private static final List<String> NAMES =
      List.of("a", "b", "B", "é", "😀", "\uffee", "", "\\u0001", "\\\"", "\\\\", "z", "aa", "~");

  private final Random random = new Random(7);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "[]",
        "{}",
        "[[],{}]",
        "\"\"",
        "{\"b\":1,\"a\":{\"d\":[1,2.50],\"c\":null}}"
      })
  void it_is_what_the_tree_says(String json) throws InvalidCellException {
    assertThat(canonical(json)).isEqualTo(CanonicalTree.of(msgpack(json)));
  }

  @Test
  void whatever_the_value_it_is_what_the_tree_says() throws InvalidCellException {
    for (int i = 0; i < 2_000; i++) {
      var json = value(0);
      assertThat(canonical(json)).as(json).isEqualTo(CanonicalTree.of(msgpack(json)));
    }
    var samples = new SampleCells(3);
    for (var json : List.of(samples.small(), samples.trip(), samples.large())) {
      assertThat(canonical(json)).isEqualTo(CanonicalTree.of(msgpack(json)));
    }
  }

  @Test
  void numbers_are_equal_by_value_and_only_then() throws InvalidCellException {
    for (var one : NUMBERS) {
      for (var two : NUMBERS) {
        boolean same = new java.math.BigDecimal(one).compareTo(new java.math.BigDecimal(two)) == 0;
        assertThat(canonical(one).equals(canonical(two))).as(one + " " + two).isEqualTo(same);
      }
    }
  }

  private String value(int depth) {
    int kind = random.nextInt(depth > 3 ? 3 : 6);
    return switch (kind) {
      case 0 -> NUMBERS.get(random.nextInt(NUMBERS.size()));
      case 1 -> "\"" + NAMES.get(random.nextInt(NAMES.size())) + "\"";
      case 2 -> List.of("true", "false", "null").get(random.nextInt(3));
      case 3 ->
          random
              .ints(random.nextInt(20))
              .mapToObj(i -> value(depth + 1))
              .collect(Collectors.joining(",", "[", "]"));
      default -> {
        var names = new ArrayList<>(NAMES);
        Collections.shuffle(names, random);
        yield names.subList(0, random.nextInt(names.size())).stream()
            .map(name -> "\"" + name + "\":" + value(depth + 1))
            .collect(Collectors.joining(",", "{", "}"));
      }
    };
  }

  private static String canonical(String json) throws InvalidCellException {
    var msgpack = msgpack(json);
    var out = new JsonBuffer();
    CanonicalJson.write(msgpack, msgpack.length, out);
    return new String(out.toBytes(), StandardCharsets.UTF_8);
  }

  private static byte[] msgpack(String json) throws InvalidCellException {
    return Inflation.once(Body.ofJson(json).stored(), 1, Body.MAX_INFLATED);
  }
}
