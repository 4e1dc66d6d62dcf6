package io.cellmesh.cell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EnvelopeWriterTest {
  private final EnvelopeWriter writer = new EnvelopeWriter();
  private final Random random = new Random(7);

  @AfterEach
  void close() {
    writer.close();
  }

  @Test
  void a_text_is_written_as_jackson_writes_it() throws Exception {
    var text = new StringBuilder();
    for (int i = 0; i < 0x300; i++) {
      text.append((char) i);
    }
    text.append("\u2028\uD83D\uDE00 end");

    assertThat(Body.ofJson(jackson(text.toString())).toJson()).isEqualTo(jackson(text.toString()));
  }

  @Test
  void every_size_of_text_list_and_map_comes_back() throws Exception {
    for (int size : new int[] {0, 1, 15, 16, 31, 32, 255, 256, 65_535, 65_536}) {
      var text = "\"" + "x".repeat(size) + "\"";
      assertThat(Body.ofJson(text).toJson()).isEqualTo(text);
      var list = "[" + "1,".repeat(size) + "2]";
      assertThat(Body.ofJson(list).toJson()).isEqualTo(list);
      var map = new StringBuilder("{");
      for (int i = 0; i < size; i++) {
        map.append("\"n").append(i).append("\":null,");
      }
      map.append("\"end\":true}");
      assertThat(Body.ofJson(map.toString()).toJson()).hasToString(map.toString());
    }
  }

  @Test
  void numbers_keep_their_value() throws Exception {
    for (int i = 0; i < 10_000; i++) {
      var number = Long.toString(random.nextLong() >> random.nextInt(64));
      assertThat(Body.ofJson(number).toJson()).isEqualTo(number);
      var decimal = random.nextInt(100_000) + "." + (1 + random.nextInt(9));
      assertThat(Body.ofJson(decimal).toJson()).isEqualTo(decimal);
    }
  }

  @Test
  void one_record_leaves_nothing_behind_for_the_next() throws Exception {
    var first = record("{\"a\":\"" + "long ".repeat(1000) + "\"}", "2026-01-31T12:00:00.123456Z");
    var second = record("[1]", "1969-12-31T23:59:59.000001Z");

    writer.write(first);

    assertThat(new String(writer.write(second), UTF_8))
        .isEqualTo(
            "{\"v\":1,\"row_key\":\"00000000-0000-0001-0000-000000000002\",\"column_name\":\"BASE\","
                + "\"ref_key\":-3,\"body\":[1],\"origin\":\"dc1\",\"origin_id\":9,\"shard\":42,"
                + "\"added_id\":812,\"created_at\":\"1969-12-31T23:59:59.000001Z\"}");
    assertThat(writer.write(first)).isEqualTo(Envelope.write(first));
  }

  @Test
  void a_body_that_ends_too_early_or_too_late_is_damaged() {
    damaged(0x81, 0xa1, 'a');
    damaged(0xda, 0x01);
    damaged(0x01, 0x02);
    damaged(0xc1);
    damaged(0x81, 0x01, 0x01);
  }

  private static void damaged(int... msgpack) {
    var bytes = new byte[msgpack.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) msgpack[i];
    }
    assertThatThrownBy(() -> BodyWriter.write(bytes, bytes.length, new JsonBuffer()))
        .isInstanceOf(IllegalStateException.class);
  }

  private static LogRecord record(String json, String at) throws InvalidCellException {
    var key = new CellKey(new UUID(1, 2), "BASE", -3);
    var cell = new Cell(key, Body.ofJson(json), Optional.of(new Origin("dc1", 9)));
    return new LogRecord(cell, 42, 812, Instant.parse(at));
  }

  private static String jackson(String text) throws Exception {
    var out = new StringWriter();
    try (var generator = Json.FACTORY.createGenerator(out)) {
      generator.writeString(text);
    }
    return out.toString();
  }
}
