package io.cellmesh.topics.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.InvalidCellException;
import org.junit.jupiter.api.Test;

class CellInputTest {
  private static final String ROW = "6d1f3c1e-5a52-4f0e-9a3b-2c8d5b1f7e40";

  @Test
  void aGoodCellIsTaken() throws Exception {
    var cell = CellInput.parse(ROW, "BASE", "-9223372036854775808", "{\"fare\":12.50}");

    assertThat(cell.key().refKey()).isEqualTo(Long.MIN_VALUE);
    assertThat(cell.body().toJson()).isEqualTo("{\"fare\":12.5}");
  }

  @Test
  void eachFieldIsHeldToTheRulesOfTheSink() {
    refused("x", "BASE", "1", "{}", "row_key");
    refused(ROW.toUpperCase(java.util.Locale.ROOT), "BASE", "1", "{}", "row_key");
    refused(ROW, "", "1", "{}", "column_name");
    refused(ROW, "BASE", "1.5", "{}", "ref_key");
    refused(ROW, "BASE", "one", "{}", "ref_key");
    refused(ROW, "BASE", "9223372036854775808", "{}", "ref_key");
    refused(ROW, "BASE", "1,\"body\":2", "{}", "ref_key");
    refused(ROW, "BASE", "1", "{", "record");
    refused(ROW, "BASE", "1", "{},\"v\":1", "record");
    refused(ROW, "BASE", "1", "{\"a\":1,\"a\":2}", "body");
  }

  @Test
  void anEnvelopeIsHeldToThemToo() throws Exception {
    var envelope = "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":1.0%s}";

    assertThat(CellInput.parse(ROW, envelope.formatted(ROW, "").getBytes()).body().toJson())
        .isEqualTo("1.0");
    assertThatThrownBy(
            () -> CellInput.parse(ROW, envelope.formatted(ROW, ",\"origin\":\"dc2\"").getBytes()))
        .isInstanceOfSatisfying(
            InvalidCellException.class,
            e -> {
              assertThat(e.field()).isEqualTo("origin");
              assertThat(e.rule()).isEqualTo("belongs only into the mesh topic");
            });
  }

  private static void refused(String row, String column, String ref, String json, String field) {
    assertThatThrownBy(() -> CellInput.parse(row, column, ref, json))
        .isInstanceOfSatisfying(
            InvalidCellException.class, e -> assertThat(e.field()).isEqualTo(field));
  }
}
