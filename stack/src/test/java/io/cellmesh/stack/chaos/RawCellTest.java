package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RawCellTest {
  private static final String ROW = "6f1c5b0e-9a56-4b5e-8a0e-0d3f3a2b1c4d";

  @Test
  void equal_bodies_have_one_digest_however_they_are_spelt() {
    assertThat(digest("{\"a\":1,\"b\":[1e2,\"x\"]}"))
        .isEqualTo(digest("{ \"b\" : [100.0, \"x\"], \"a\" : 1.0 }"));
  }

  @Test
  void other_bodies_have_another() {
    assertThat(digest("{\"a\":1}")).isNotEqualTo(digest("{\"a\":\"1\"}"));
    assertThat(digest("[1,2]")).isNotEqualTo(digest("[2,1]")).isNotEqualTo(digest("[12]"));
    assertThat(digest("[[],1]")).isNotEqualTo(digest("[[1]]"));
    assertThat(digest("null")).isNotEqualTo(digest("\"null\""));
  }

  @Test
  void numbers_of_any_exponent_have_a_digest() {
    assertThat(digest("100E2147483647"))
        .isEqualTo(digest("1000E2147483646"))
        .isNotEqualTo(digest("101E2147483647"));
    assertThat(digest("0E5")).isEqualTo(digest("0.00"));
    assertThat(digest("-10")).isEqualTo(digest("-1E1")).isNotEqualTo(digest("-1"));
  }

  @Test
  void numbers_of_any_length_have_a_digest() {
    var digits = "123456789".repeat(500);
    assertThat(digest("0." + digits)).isEqualTo(digest("0." + digits + "0"));
    assertThat(digest("0." + digits)).isNotEqualTo(digest("0." + digits + "1"));
  }

  @Test
  void what_has_no_key_or_no_body_is_no_cell() {
    assertThat(RawCell.parse(null)).isEmpty();
    assertThat(RawCell.parse(bytes("{"))).isEmpty();
    assertThat(RawCell.parse(bytes("[]"))).isEmpty();
    assertThat(RawCell.parse(bytes("{\"row_key\":\"%s\"}".formatted(ROW)))).isEmpty();
    assertThat(RawCell.parse(bytes(envelope("{\"a\":1,\"a\":1}")))).isEmpty();
  }

  private static long digest(String body) {
    return RawCell.parse(bytes(envelope(body))).orElseThrow().digest();
  }

  private static String envelope(String body) {
    return "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":%s}"
        .formatted(ROW, body);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
