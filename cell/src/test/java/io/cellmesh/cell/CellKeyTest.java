package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CellKeyTest {
  private static final String ROW = "6d1f3c1e-5a52-4f0e-9a3b-2c8d5b1f7e40";

  @ParameterizedTest
  @ValueSource(strings = {"0", "-0", "12", "-9223372036854775808", "9223372036854775807"})
  void a_typed_key_is_what_an_envelope_with_it_has(String ref) throws Exception {
    assertThat(CellKey.parse(ROW, "BASE", ref)).isEqualTo(envelope(ROW, "BASE", ref));
  }

  @ParameterizedTest
  @CsvSource({
    "x, BASE, 1, row_key",
    "6D1F3C1E-5A52-4F0E-9A3B-2C8D5B1F7E40, BASE, 1, row_key",
    "6d1f3c1e-5a52-4f0e-9a3b-2c8d5b1f7e40, '', 1, column_name",
    "6d1f3c1e-5a52-4f0e-9a3b-2c8d5b1f7e40, BASE, 1.5, ref_key",
    "6d1f3c1e-5a52-4f0e-9a3b-2c8d5b1f7e40, BASE, 1e3, ref_key",
    "6d1f3c1e-5a52-4f0e-9a3b-2c8d5b1f7e40, BASE, 9223372036854775808, ref_key"
  })
  void a_typed_key_is_refused_in_the_words_of_an_envelope(
      String row, String column, String ref, String field) {
    var said = catchThrowable(() -> envelope(row, column, ref));

    assertThatThrownBy(() -> CellKey.parse(row, column, ref))
        .hasMessage(said.getMessage())
        .isInstanceOfSatisfying(
            InvalidCellException.class, e -> assertThat(e.field()).isEqualTo(field));
  }

  @ParameterizedTest
  @ValueSource(strings = {"one", "", "01", "+1", " 1", "1 ", "0x1", "1,\"body\":2"})
  void a_ref_key_that_is_no_number_is_refused(String ref) {
    assertThatThrownBy(() -> CellKey.parse(ROW, "BASE", ref))
        .isInstanceOf(InvalidCellException.class)
        .hasMessage("ref_key: must be an integer, not a string");
  }

  @Test
  void a_column_s_name_is_at_most_64_characters_and_Unicode() throws Exception {
    assertThat(CellKey.checkColumn("é".repeat(64))).hasSize(64);
    assertThatThrownBy(() -> CellKey.checkColumn("é".repeat(65))).hasMessageContaining("over 64");
    assertThatThrownBy(() -> CellKey.checkColumn("\ud800")).hasMessageContaining("surrogate");
  }

  @Test
  void a_shard_s_database_has_four_digits() {
    assertThat(Names.database("trips", 7)).isEqualTo("trips_0007");
    assertThat(Names.database("trips", 4095)).isEqualTo("trips_4095");
  }

  private static CellKey envelope(String row, String column, String ref)
      throws InvalidCellException {
    var json =
        "{\"row_key\":\"%s\",\"column_name\":\"%s\",\"ref_key\":%s,\"body\":null}"
            .formatted(row, column, ref);
    try (var reader = new EnvelopeReader(EnvelopeReader.DEFAULT_BODY_LIMIT)) {
      return reader.readCell(Json.utf8(row), Json.utf8(json)).key();
    }
  }
}
