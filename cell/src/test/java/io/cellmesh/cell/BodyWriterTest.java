package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyWriterTest {
  private final JsonBuffer out = new JsonBuffer();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0.50",
        "12345678901234567890",
        "1e400",
        "-1.25E-400",
        "9.00000000000000001"
      })
  void a_number_is_written_as_it_was_read(String number) {
    assertThat(written(exact(number))).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "NaN",
        "Infinity",
        "01",
        "+1",
        "1.",
        ".5",
        "1e",
        "1 ",
        "1,2",
        "1\n",
        "\u0661"
      })
  void an_exact_number_that_is_none_is_refused_and_not_repeated(String number) {
    assertThatThrownBy(() -> written(exact(number)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a stored body is damaged: an exact number in it is no number");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void a_double_that_json_has_not_is_refused_by_its_name(double value) {
    var msgpack = new MsgpackBuffer();
    msgpack.decimal(value);
    assertThatThrownBy(() -> written(msgpack))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a stored body is damaged: it has %s where a number was".formatted(value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a180", "a1c3", "a3eda080", "a2c0af", "81a1ff01"})
  void a_text_or_a_name_that_is_no_utf8_is_refused(String msgpack) {
    var bytes = HexFormat.of().parseHex(msgpack);
    assertThatThrownBy(() -> BodyWriter.write(bytes, bytes.length, out))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a stored body is damaged: a text in it is no UTF-8");
  }

  @Test
  void what_is_damaged_anywhere_is_refused_or_json() throws Exception {
    long seed = System.nanoTime();
    var random = new Random(seed);
    var json = "{\"a\":[1,2.5,\"x\u20ac\",null,1e400],\"n\":12345678901234567890,\"d\":1.7e308}";
    var stored = Body.ofJson(json).stored();
    var whole = Inflation.once(stored, 1, Body.MAX_INFLATED);
    var damages = new HashSet<String>();
    for (int i = 0; i < 20_000; i++) {
      var damaged = whole.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        out.clear();
        BodyWriter.write(damaged, damaged.length, out);
        requireJson(out.toBytes(), seed);
      } catch (IllegalStateException e) {
        damages.add(e.getMessage());
      }
    }
    assertThat(damages)
        .as("seed %d", seed)
        .contains(
            "a stored body is damaged",
            "a stored body is damaged: an exact number in it is no number",
            "a stored body is damaged: a text in it is no UTF-8");
  }

  private static void requireJson(byte[] bytes, long seed) {
    try (var parser = new JsonFactory().createParser(bytes)) {
      int values = 0;
      while (parser.nextToken() != null) {
        values +=
            parser.getParsingContext().inRoot() && !parser.currentToken().isStructStart() ? 1 : 0;
      }
      assertThat(values).isOne();
    } catch (IOException e) {
      throw new AssertionError(
          "seed %d: %s".formatted(seed, new String(bytes, StandardCharsets.UTF_8)), e);
    }
  }

  private static MsgpackBuffer exact(String number) {
    var msgpack = new MsgpackBuffer();
    msgpack.exact(number);
    return msgpack;
  }

  private String written(MsgpackBuffer msgpack) {
    BodyWriter.write(msgpack.array(), msgpack.length(), out);
    return new String(out.toBytes(), StandardCharsets.UTF_8);
  }
}
