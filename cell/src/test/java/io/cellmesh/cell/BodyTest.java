package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "true",
        "\"\"",
        "{}",
        "[]",
        "0",
        "-1",
        "127",
        "128",
        "-32",
        "-33",
        "32768",
        "2147483648",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "123456789012345678901234567890",
        "0.1",
        "12.95",
        "-73.98765",
        "0.1000000000000000055511151231257827",
        "3.141592653589793238462643383279",
        "\"NUL \\u0000, quote \\\", four bytes 😀\"",
        "{\"b\":1,\"a\":[1,{\"c\":null}],\"BASE\":1,\"base\":2}"
      })
  void every_json_value_comes_back_as_it_went_in(String json) throws Exception {
    assertThat(Body.ofJson(json).toJson()).isEqualTo(json);
  }

  @Test
  void long_maps_arrays_and_texts_come_back() throws Exception {
    for (int size : new int[] {15, 16, 31, 32, 255, 256, 65_535, 65_536}) {
      var array =
          IntStream.range(0, size)
              .mapToObj(String::valueOf)
              .collect(Collectors.joining(",", "[", "]"));
      var map =
          IntStream.range(0, size)
              .mapToObj(i -> "\"n" + i + "\":[]")
              .collect(Collectors.joining(",", "{", "}"));
      assertThat(Body.ofJson(array).toJson()).isEqualTo(array);
      assertThat(Body.ofJson(map).toJson()).isEqualTo(map);
      assertThat(Body.ofJson("\"" + "ü".repeat(size) + "\"").toJson()).hasSize(size + 2);
    }
  }

  @Test
  void random_decimals_keep_their_exact_value() throws Exception {
    var random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      var digits = new StringBuilder(random.nextBoolean() ? "-" : "").append(1 + random.nextInt(9));
      for (int d = random.nextInt(20); d > 0; d--) {
        digits.append(random.nextInt(10));
      }
      var text =
          digits
              + "."
              + (1 + random.nextInt(999))
              + (random.nextBoolean() ? "" : "e" + (random.nextInt(600) - 300));
      assertThat(new BigDecimal(Body.ofJson(text).toJson()))
          .as(text)
          .isEqualByComparingTo(new BigDecimal(text));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":1,\"b\":2} | {\"b\":2,\"a\":1}",
        "1 | 1.0",
        "100 | 1e2",
        "0 | -0.0",
        "[1.50] | [1.5]",
        "1e400 | 10e399",
        "\"\\u0041\" | \"A\""
      })
  void equality_is_jsons(String one, String other) throws Exception {
    assertThat(Body.ofJson(one).sameAs(Body.ofJson(other))).isTrue();
    assertThat(Body.ofJson(one).digest()).isEqualTo(Body.ofJson(other).digest());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | \"1\"",
        "[1,2] | [2,1]",
        "{} | []",
        "null | false",
        "{\"a\":1} | {\"A\":1}",
        "9007199254740993 | 9007199254740992",
        "0.1 | 0.1000000000000000055511151231257827",
        "[[],[]] | [[[]]]"
      })
  void what_differs_as_json_differs(String one, String other) throws Exception {
    assertThat(Body.ofJson(one).sameAs(Body.ofJson(other))).isFalse();
    assertThat(Body.ofJson(one).digest()).isNotEqualTo(Body.ofJson(other).digest());
  }

  @Test
  void bodies_are_compared_whatever_the_length_of_their_names() throws Exception {
    var name = "n".repeat(100_000);
    var one = Body.ofJson("{\"%s\":1,\"a\":2}".formatted(name));
    assertThat(one.sameAs(Body.ofJson("{\"a\":2,\"%s\":1.0}".formatted(name)))).isTrue();
    assertThat(one.sameAs(Body.ofJson("{\"a\":2,\"%s\":3}".formatted(name)))).isFalse();
  }

  @Test
  void a_body_that_was_compressed_in_another_way_is_the_same() throws Exception {
    var json = "{\"a\":[1,2,3],\"b\":\"text, text, text\"}";
    var msgpack = Inflation.once(Body.ofJson(json).stored(), 1, Body.MAX_INFLATED);
    for (int level = 0; level <= 9; level++) {
      var deflater = new Deflater(level);
      deflater.setInput(msgpack);
      deflater.finish();
      var stored = new byte[200];
      stored[0] = Body.VERSION;
      int length = 1 + deflater.deflate(stored, 1, 199);
      deflater.end();
      var body = Body.ofStored(Arrays.copyOf(stored, length));
      assertThat(body.sameAs(Body.ofJson(json))).isTrue();
      assertThat(body.digest()).isEqualTo(Body.ofJson(json).digest());
    }
  }

  @Test
  void a_hundred_levels_are_taken_and_one_more_is_not() throws Exception {
    Body.ofJson("[".repeat(100) + "]".repeat(100));
    refused("[".repeat(101) + "]".repeat(101), "nested over 100 deep");
    refused("[".repeat(10_000), "nested over 100 deep");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":1,\"a\":2} | a name is repeated",
        "\"\\ud800\" | lone surrogate",
        "\"\\udc00\\ud800\" | lone surrogate",
        "{\"\\ud83d\":1} | lone surrogate",
        "1e99999999999 | exponent",
        "nul | not JSON",
        "{'a':1} | not JSON",
        "NaN | not JSON",
        "01 | not JSON",
        "[1,] | not JSON"
      })
  void what_is_no_proper_json_is_refused(String json, String rule) {
    refused(json, rule);
  }

  @Test
  void a_damaged_stored_body_is_noticed() throws Exception {
    var stored = Body.ofJson("{\"a\":[1,2,3]}").stored().clone();
    stored[5] ^= 0x55;
    assertThatThrownBy(() -> Body.ofStored(stored).toJson())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Body.ofStored(new byte[] {9, 9, 9}).toJson())
        .hasMessageContaining("version");
  }

  @Test
  void the_stored_form_of_today_stays_readable() {
    var stored = HexFormat.of().parseHex("01789c6b5a929658947ada41f3591a082ccc9bc4780000627d093f");
    assertThat(Body.ofStored(stored).toJson()).isEqualTo("{\"fare\":12.95,\"n\":[1,null]}");
  }

  private static void refused(String json, String rule) {
    assertThatThrownBy(() -> Body.ofJson(json))
        .isInstanceOf(InvalidCellException.class)
        .hasMessageContaining(rule);
  }
}
