package io.cellmesh.cell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyReaderTest {
  private static final int MIB = 1 << 20;
  private static final ObjectMapper PLAIN =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNameLength(Integer.MAX_VALUE).build())
                  .build())
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final Random random = new Random(23);
  private final EnvelopeReader reader = new EnvelopeReader(EnvelopeReader.DEFAULT_BODY_LIMIT);

  @AfterEach
  void close() {
    reader.close();
  }

  @Test
  void mutated_bodies_are_taken_with_the_value_that_a_plain_parser_sees_or_refused_by_both()
      throws Exception {
    var make = new SampleCells(29);
    int taken = 0;
    for (int i = 0; i < 10_000; i++) {
      var body = mutated(i % 3 == 0 ? make.small() : make.trip());
      var plain = plain(body);
      try {
        var json = Body.ofJson(body).toJson();
        taken++;
        assertThat(plain).as(body).isNotNull();
        assertThat(same(PLAIN.readTree(json), plain)).as(body).isTrue();
      } catch (InvalidCellException e) {
        assertThat(plain).as(body + ": " + e.getMessage()).isNull();
      }
    }
    assertThat(taken).isBetween(1_000, 9_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "\\n", "\\u00e9", "é", "☆", "😀", "\\ud83d\\ude00", "\\u0000"})
  void texts_and_names_with_it_come_back_wherever_a_buffer_ends(String part) throws Exception {
    for (int before : new int[] {0, 25, 31, 120, 250, 255, 3_990, 65_530}) {
      for (int shift = 0; shift < 10; shift++) {
        var text = "y".repeat(before + shift) + part + "z";
        var json = "{\"" + text + "\":[\"" + text + "\",\"" + text + "\"]}";
        assertThat(PLAIN.readTree(Body.ofJson(json).toJson())).isEqualTo(PLAIN.readTree(json));
      }
    }
  }

  @Test
  void names_are_repeated_or_not_however_many_there_are() throws Exception {
    for (int names : new int[] {1, 2, 31, 32, 33, 34, 64, 65, 500}) {
      var json = new StringBuilder("{");
      for (int i = 0; i < names; i++) {
        json.append("\"n").append(i).append("\":{\"n").append(i).append("\":1},");
      }
      Body.ofJson(json + "\"other\":[{\"n0\":1},{\"n0\":2}]}");
      assertThatThrownBy(() -> Body.ofJson(json + "\"n" + (names - 1) + "\":2}"))
          .hasMessageContaining("a name is repeated in one object (line 1, column");
      assertThatThrownBy(() -> Body.ofJson(json + "\"\\u006e0\":2}"))
          .hasMessageContaining("a name is repeated in one object (line 1, column");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":1,\"a\":22} | body: a name is repeated in one object (line 1, column 11)",
        "{\"a\":1,\"a\"22} | body: a name is repeated in one object (line 1, column 11)",
        "[{\"a\":1,\"b\":{\"a\":1,\"\\u0061\":2}}] | body: a name is repeated in one object (line 1, column 28)",
      })
  void the_place_of_a_repeated_name_is_told(String json, String message) {
    assertThatThrownBy(() -> Body.ofJson(json)).hasMessage(message);
  }

  @Test
  void a_refused_body_leaves_nothing_behind_for_the_next() throws Exception {
    for (var bad :
        new String[] {"{\"a\":{\"b\":1,\"b\":2}}", "{\"a\":{\"b\":\"\\ud800\"}}", "{\"a\":"}) {
      assertThatThrownBy(() -> read(bad)).isInstanceOf(InvalidCellException.class);
      assertThat(read("{\"a\":{\"b\":1}}").body().toJson()).isEqualTo("{\"a\":{\"b\":1}}");
    }
  }

  @Test
  void bodies_about_the_limit_of_one_mebibyte_are_taken_or_refused_by_their_bytes()
      throws Exception {
    for (var unit : new String[] {"a", "\\n", "é", "😀"}) {
      int size = unit.getBytes(UTF_8).length;
      int units = (MIB - 2) / size;
      var fits = "\"" + unit.repeat(units) + "b".repeat(MIB - 2 - units * size) + "\"";
      assertThat(PLAIN.readTree(read(fits).body().toJson())).isEqualTo(PLAIN.readTree(fits));
      assertThatThrownBy(() -> read("\"b" + fits.substring(1)))
          .hasMessage("body: 1048577 bytes of JSON are over the limit of 1048576");
    }
  }

  @Test
  void prose_takes_the_space_that_the_jdks_deflater_needs() throws Exception {
    var prose =
        "A rider left an umbrella on the back seat, so the driver turned around at the bridge"
            + " and brought it to the lost and found office before the next trip had begun.";
    assertThat(read("{\"text\":\"" + prose + "\"}").body().stored().length)
        .isLessThan(prose.length() * 85 / 100);
  }

  private Cell read(String body) throws InvalidCellException {
    var row = new UUID(1, 2).toString();
    var value =
        "{\"row_key\":\"%s\",\"column_name\":\"B\",\"ref_key\":1,\"body\":%s}".formatted(row, body);
    return reader.readCell(row.getBytes(UTF_8), value.getBytes(UTF_8));
  }

  private String mutated(String body) {
    var text = new StringBuilder(body);
    for (int changes = random.nextInt(3); changes > 0; changes--) {
      int at = random.nextInt(text.length());
      var one = "{}[]\",:019eE.-\\u é☆".charAt(random.nextInt(19));
      switch (random.nextInt(3)) {
        case 0 -> text.setCharAt(at, one);
        case 1 -> text.insert(at, text.substring(at, Math.min(text.length(), at + 30)));
        default -> text.deleteCharAt(at);
      }
    }
    return text.toString();
  }

  /** What databind sees, or null if it is no JSON. */
  private static JsonNode plain(String json) {
    try {
      var tree = PLAIN.readTree(json.getBytes(UTF_8));
      return tree.isMissingNode() ? null : tree;
    } catch (IOException e) {
      return null;
    }
  }

  /** Numbers by value, all else as it is. */
  private static boolean same(JsonNode one, JsonNode other) {
    return one.equals(
        (a, b) ->
            a.isNumber() && b.isNumber()
                ? a.decimalValue().compareTo(b.decimalValue())
                : a.equals(b) ? 0 : 1,
        other);
  }
}
