package io.cellmesh.cell;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvelopeReaderTest {
  private static final String ROW = "6f9619ff-8b86-d011-b42d-00cf4fc964ff";
  private static final String GOOD =
      "{\"v\":1,\"row_key\":\""
          + ROW
          + "\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":{\"a\":1}}";

  private final EnvelopeReader reader = new EnvelopeReader(1000);

  @AfterEach
  void close() {
    reader.close();
  }

  @Test
  void whoever_drops_bodies_after_a_look_reads_the_same_and_compresses_no_prose()
      throws InvalidCellException {
    var prose = "seldom the same, often alike; ".repeat(20);
    var value =
        "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":\"%s\"}"
            .formatted(ROW, prose);
    try (var passing = EnvelopeReader.passing()) {
      var stored = reader.readCell(ROW.getBytes(UTF_8), value.getBytes(UTF_8));
      var passed = passing.readCell(ROW.getBytes(UTF_8), value.getBytes(UTF_8));
      assertThat(passed.key()).isEqualTo(stored.key());
      assertThat(passed.body().sameAs(stored.body())).isTrue();
      assertThat(passed.body().digest()).isEqualTo(stored.body().digest());
      assertThat(stored.body().stored()).hasSizeLessThan(prose.length() / 4);
      assertThat(passed.body().stored()).hasSizeGreaterThan(prose.length());
    }
  }

  @Test
  void a_cell_is_read_and_written_back() throws Exception {
    var cell = reader.readCell(ROW.getBytes(UTF_8), GOOD.getBytes(UTF_8));
    assertThat(cell.key()).isEqualTo(new CellKey(UUID.fromString(ROW), "BASE", 1));
    assertThat(cell.body().toJson()).isEqualTo("{\"a\":1}");
    assertThat(new String(Envelope.write(cell), UTF_8)).isEqualTo(GOOD);
  }

  @Test
  void the_version_may_be_left_out_and_the_order_of_fields_is_free() throws Exception {
    var json =
        "{\"body\":null,\"ref_key\":-9223372036854775808,\"column_name\":\"é😀\",\"row_key\":\""
            + ROW
            + "\"}";
    var cell = reader.readCell(ROW.getBytes(UTF_8), json.getBytes(UTF_8));
    assertThat(cell.key().refKey()).isEqualTo(Long.MIN_VALUE);
    assertThat(cell.key().columnName()).isEqualTo("é😀");
  }

  @Test
  void a_log_record_is_written_and_read_back() throws Exception {
    var at = Instant.parse("2026-01-31T12:00:00.123456Z");
    var cell =
        new Cell(
            new CellKey(UUID.fromString(ROW), "BASE", 7),
            Body.ofJson("[1]"),
            Optional.of(new Origin("dc1", 812)));
    var value = Envelope.write(new LogRecord(cell, 42, 4711, at));
    assertThat(new String(value, UTF_8))
        .endsWith(
            "\"origin\":\"dc1\",\"origin_id\":812,\"shard\":42,\"added_id\":4711,\"created_at\":\"2026-01-31T12:00:00.123456Z\"}");
    var read = reader.readLog(ROW.getBytes(UTF_8), value);
    assertThat(read.cell().origin()).contains(new Origin("dc1", 812));
    assertThat(read.shard()).isEqualTo(42);
    assertThat(read.addedId()).isEqualTo(4711);
    assertThat(read.createdAt()).isEqualTo(at);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "hello | record: not JSON (line 1, column 6)",
        "[1] | record: not a JSON object",
        "{} | row_key: missing",
        "{\"row_key\":5} | row_key: must be a string, not a number",
        "{\"row_key\":\"5\"} | row_key = \"5\": not a UUID in its 36 lower-case characters",
        "{\"row_key\":\"6F9619FF-8B86-D011-B42D-00CF4FC964FF\"} | lower-case",
        "{\"row_key\":\"00000000-0000-0000-0000-000000000000\"} | differs from the record's key",
        "{\"row_key\":\"ROW\",\"ref_key\":1,\"body\":1} | column_name: missing",
        "{\"row_key\":\"ROW\",\"column_name\":\"\",\"ref_key\":1,\"body\":1} | column_name = \"\": empty",
        "{\"row_key\":\"ROW\",\"column_name\":\"B\",\"body\":1} | ref_key: missing",
        "{\"row_key\":\"ROW\",\"column_name\":\"B\",\"ref_key\":1} | body: missing",
        "{\"ref_key\":9223372036854775808} | ref_key = \"9223372036854775808\": beyond a signed 64-bit integer",
        "{\"ref_key\":1.5} | ref_key = \"1.5\": must be an integer, without a fraction",
        "{\"ref_key\":1.0} | ref_key = \"1.0\": must be an integer, without a fraction",
        "{\"ref_key\":\"1\"} | ref_key: must be an integer, not a string",
        "{\"ref_key\":null} | ref_key: must be an integer, not null",
        "{\"v\":2} | v = \"2\": only version 1 is known",
        "{\"extra\":2} | record = \"extra\": unknown field",
        "{\"row_key\":\"ROW\",\"row_key\":\"ROW\"} | a name is repeated in one object",
        "{\"body\":{\"a\":1,\"a\":1}} | body: a name is repeated in one object",
        "{\"body\":\"\\ud800\"} | body: a text has a lone surrogate",
        "{\"column_name\":\"\\ud800\"} | column_name = \"\\ud800\": it has a lone surrogate",
        "{\"row_key\":\"ROW\",\"column_name\":\"B\",\"ref_key\":1,\"body\":1,\"origin\":\"dc2\"} | origin = \"dc2\": belongs only into the mesh topic",
        "{\"row_key\":\"ROW\",\"column_name\":\"B\",\"ref_key\":1,\"body\":1,\"added_id\":3} | added_id = \"3\": belongs only into the log",
        "{\"row_key\":\"ROW\",\"column_name\":\"B\",\"ref_key\":1,\"body\":1}x | not JSON",
      })
  void bad_input_is_refused_with_its_field_and_the_rule(String json, String message) {
    refused(json.replace("ROW", ROW).getBytes(UTF_8), message);
  }

  @Test
  void a_column_name_over_64_characters_is_refused_and_one_of_64_is_not() throws Exception {
    reader.readCell(ROW.getBytes(UTF_8), GOOD.replace("BASE", "😀".repeat(64)).getBytes(UTF_8));
    refused(GOOD.replace("BASE", "x".repeat(65)).getBytes(UTF_8), "over 64 characters");
  }

  @Test
  void a_body_at_the_limit_is_taken_and_one_byte_more_is_not() throws Exception {
    reader.readCell(
        ROW.getBytes(UTF_8),
        GOOD.replace("{\"a\":1}", "\"" + "x".repeat(998) + "\"").getBytes(UTF_8));
    refused(
        GOOD.replace("{\"a\":1}", "\"" + "x".repeat(999) + "\"").getBytes(UTF_8),
        "body: 1001 bytes of JSON are over the limit of 1000");
  }

  @Test
  void no_part_of_a_body_shows_in_a_message() {
    assertThatThrownBy(
            () ->
                reader.readCell(
                    ROW.getBytes(UTF_8),
                    GOOD.replace("{\"a\":1}", "{\"secret\":1,\"secret\":hidden}").getBytes(UTF_8)))
        .hasMessageNotContainingAny("secret", "hidden");
  }

  @Test
  void null_values_null_keys_zero_bytes_and_bad_utf8_are_refused() {
    refused(null, "its value is null");
    assertThatThrownBy(() -> reader.readCell(null, GOOD.getBytes(UTF_8)))
        .hasMessageContaining("its key is null");
    refused((GOOD + "\0").getBytes(UTF_8), "zero byte");
    refused(new byte[] {'{', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '}'}, "not valid UTF-8");
    refused(GOOD.getBytes(UTF_16), "not JSON");
  }

  @Test
  void a_mesh_record_must_say_where_it_comes_from() {
    assertThatThrownBy(() -> reader.readMeshCell(ROW.getBytes(UTF_8), GOOD.getBytes(UTF_8)))
        .hasMessage("origin: missing");
  }

  private void refused(byte[] value, String message) {
    assertThatThrownBy(() -> reader.readCell(ROW.getBytes(UTF_8), value))
        .isInstanceOf(InvalidCellException.class)
        .hasMessageContaining(message);
  }
}
