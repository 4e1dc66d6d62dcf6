package io.cellmesh.cell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyLimitsTest {
  private static final UUID ROW = new UUID(1, 2);
  private static final byte[] KEY = ROW.toString().getBytes(UTF_8);

  private final EnvelopeReader here = new EnvelopeReader(1000);

  @AfterEach
  void close() {
    here.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1e10000", "1e-10000", "-9.99E+010000", "0e10000", "[0.1,{\"a\":12e-9999}]"})
  void an_exponent_of_ten_thousand_is_kept_exactly(String json) throws Exception {
    var body = own(json).body();
    assertThat(body.sameAs(Body.ofJson(json))).isTrue();
    assertThat(fromMesh(body).sameAs(body)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e10001",
        "1e-10001",
        "0e10001",
        "0.0e-99999999999999999999",
        "100E2147483647",
        "1e2147483648",
        "[{\"a\":[1,1E+0000000000010001]}]"
      })
  void one_beyond_is_refused_with_field_and_rule(String json) {
    assertThatThrownBy(() -> own(json))
        .isInstanceOf(InvalidCellException.class)
        .hasMessage("body: a number's exponent is not within ±10,000");
  }

  @Test
  void a_thousand_digits_are_kept_exactly_and_one_more_is_refused() throws Exception {
    assertThat(own("1".repeat(990)).body().toJson()).hasSize(990);
    assertThat(new Body[] {Body.ofJson("1".repeat(1000)), Body.ofJson("0." + "7".repeat(999))})
        .allSatisfy(body -> assertThat(body.sameAs(fromMesh(body))).isTrue());
    assertThatThrownBy(() -> Body.ofJson("1".repeat(1001))).hasMessageContaining("a number over");
  }

  @Test
  void the_longest_number_that_is_taken_is_converted_by_who_reads_the_log() throws Exception {
    var longest = "0." + "7".repeat(1000);
    var tree =
        JsonMapper.builder(EnvelopeJson.factory().build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build()
            .readTree(Body.ofJson("{\"a\":" + longest + "}").toJson().getBytes(UTF_8));
    assertThat(tree.get("a").decimalValue()).isEqualTo(new BigDecimal(longest));
    assertThatThrownBy(() -> Body.ofJson(longest + "7")).hasMessageContaining("a number over");
  }

  /** Stored before there was a limit, and so read, compared, and taken by peers as ever. */
  @ParameterizedTest
  @CsvSource({
    "100E2147483647, 101E2147483647, false",
    "100E2147483647, 1000E2147483646, true",
    "100E2147483647, 100E2147483647, true",
    "1E-2147483647, 2E-2147483647, false",
    "10E-2147483647, 1E-2147483646, true",
    "-1.50E999999999, -15E999999998, true",
    "0E2147483647, 0, true"
  })
  @Timeout(60)
  void numbers_beyond_the_limit_that_are_stored_are_compared_without_writing_them_out(
      String one, String other, boolean same) throws Exception {
    var first = stored(one);
    var second = stored(other);
    assertThat(first.sameAs(second)).isEqualTo(same);
    assertThat(first.digest().equals(second.digest())).isEqualTo(same);
    assertThat(fromMesh(first).sameAs(first)).isTrue();
  }

  @Test
  void the_form_that_the_log_carries_is_limited_and_not_the_one_that_was_sent() throws Exception {
    var grows = "[" + "1e6,".repeat(99) + "1e6]";
    assertThat(grows).hasSizeLessThan(500);
    assertThatThrownBy(() -> own(grows))
        .hasMessage("body: 1001 bytes of JSON are over the limit of 1000");
    assertThat(own("[" + "1e6,".repeat(98) + "1e6]").body().toJson()).hasSize(991);
    var shrinks = "[" + " ".repeat(2000) + "\"" + "\\u0041".repeat(900) + "\"]";
    assertThat(own(shrinks).body().toJson()).hasSize(904);
  }

  @Test
  void what_one_data_centre_accepted_another_takes_whatever_its_own_limit() throws Exception {
    try (var there = new EnvelopeReader(EnvelopeReader.MAX_BODY_LIMIT)) {
      var body =
          there
              .readCell(KEY, envelope("\"" + "a".repeat(EnvelopeReader.MAX_BODY_LIMIT - 2) + "\""))
              .body();
      assertThat(fromMesh(body).sameAs(body)).isTrue();
    }
    var beyond = "\"" + "a".repeat(EnvelopeReader.MAX_PEER_BODY) + "\"";
    assertThatThrownBy(() -> here.readMeshCell(KEY, mesh(beyond, "1")))
        .hasMessageContaining("over the limit of " + EnvelopeReader.MAX_PEER_BODY);
  }

  @Test
  void the_densest_body_that_is_taken_can_be_read_back() throws Exception {
    var elements = (EnvelopeReader.MAX_PEER_BODY - 5) / 4;
    var dense = "[" + "0.5,".repeat(elements) + "0.5]";
    assertThat(here.readMeshCell(KEY, mesh(dense, "1")).body().toJson()).hasSameSizeAs(dense);
  }

  @Test
  void a_negative_origin_id_is_refused_with_field_and_rule() {
    assertThatThrownBy(() -> here.readMeshCell(KEY, mesh("1", "-1")))
        .hasMessage("origin_id = \"-1\": negative; it is an added_id");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "2147483648", "9223372036854775807"})
  void a_shard_that_is_none_is_refused_with_field_and_rule(String shard) throws Exception {
    var at = Instant.parse("2026-01-31T12:00:00Z");
    var log =
        new String(Envelope.write(new LogRecord(cell(Body.ofJson("1")), 7, 8, at)), UTF_8)
            .replace("\"shard\":7", "\"shard\":" + shard);
    assertThatThrownBy(() -> here.readLog(KEY, log.getBytes(UTF_8)))
        .hasMessage("shard = \"" + shard + "\": no number of a shard");
  }

  /** As a program without limits on exponents stored it. */
  private static Body stored(String json) throws InvalidCellException {
    try (var reader = new BodyReader(BodyLimits.ACCEPTED)) {
      return reader.read(json);
    }
  }

  private Cell own(String body) throws InvalidCellException {
    return here.readCell(KEY, envelope(body));
  }

  /** What the next data centre makes of what the log writes. */
  private Body fromMesh(Body body) throws InvalidCellException {
    return here.readMeshCell(KEY, Envelope.write(cell(body))).body();
  }

  private static Cell cell(Body body) {
    return new Cell(new CellKey(ROW, "BASE", 1), body, Optional.of(new Origin("dc1", 1)));
  }

  private static byte[] envelope(String body) {
    return "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":%s}"
        .formatted(ROW, body)
        .getBytes(UTF_8);
  }

  private static byte[] mesh(String body, String originId) {
    return "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":%s,\"origin\":\"dc1\",\"origin_id\":%s}"
        .formatted(ROW, body, originId)
        .getBytes(UTF_8);
  }
}
