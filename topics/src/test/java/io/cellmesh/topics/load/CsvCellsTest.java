package io.cellmesh.topics.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.InvalidCellException;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CsvCellsTest {

  @Test
  void allFieldsStandInBaseUnlessALayoutSaysOtherwise() throws Exception {
    var cells = cells("pickup,fare\n2019-03-23 20:21:09,7.0\n", null, null);

    assertThat(cells).hasSize(1);
    assertThat(cells.get(0).key().columnName()).isEqualTo("BASE");
    assertThat(cells.get(0).key().refKey()).isEqualTo(1);
    assertThat(json(cells)).containsExactly("{\"pickup\":\"2019-03-23 20:21:09\",\"fare\":7.0}");
  }

  @Test
  void aLayoutMakesOneCellAColumn() throws Exception {
    var cells = cells("a,b,c\n1,2,3\n", "BASE=a;FARE=c, b", null);

    assertThat(cells).extracting(c -> c.key().columnName()).containsExactly("BASE", "FARE");
    assertThat(json(cells)).containsExactly("{\"a\":1}", "{\"c\":3,\"b\":2}");
    assertThat(cells.get(0).key().rowKey()).isEqualTo(cells.get(1).key().rowKey());
  }

  @Test
  void numbersAreExactAndWhatOnlyLooksLikeOneStaysText() throws Exception {
    var cells = cells("a,b,c,d,e\n0.10000000000000000000001,01970,-5,1e3,.5\n", null, null);

    assertThat(json(cells))
        .containsExactly(
            "{\"a\":0.10000000000000000000001,\"b\":\"01970\",\"c\":-5,\"d\":1000.0,\"e\":\".5\"}");
  }

  @Test
  void whatIsEmptyIsNull() throws Exception {
    assertThat(json(cells("a,b\n,\"\"\n", null, null))).containsExactly("{\"a\":null,\"b\":null}");
  }

  @Test
  void identicalRowsAreRowsOfTheirOwnAndTheSameInEveryLoad() throws Exception {
    var file = "a\n1\n1\n";

    var keys = cells(file, null, null).stream().map(c -> c.key().rowKey()).toList();

    assertThat(keys).doesNotHaveDuplicates();
    assertThat(keys)
        .isEqualTo(cells(file, null, null).stream().map(c -> c.key().rowKey()).toList());
    assertThat(keys).allMatch(key -> key.version() == 5);
  }

  @Test
  void aKeyFieldNamesTheRowAndLaterRowsAreLaterVersions() throws Exception {
    var cells = cells("id,v\nx,1\ny,1\nx,2\n", null, "id");

    assertThat(cells).extracting(c -> c.key().refKey()).containsExactly(1L, 1L, 2L);
    assertThat(cells.get(0).key().rowKey())
        .isEqualTo(cells.get(2).key().rowKey())
        .isEqualTo(NameUuid.of(NameUuid.CSV_ROWS, "x"));
  }

  @Test
  void aRowThatDoesNotFitTheHeaderIsNamedByItsLine() {
    assertThatThrownBy(() -> cells("a,b\n1,2\n3\n", null, null))
        .hasMessage("line 3: 1 fields, the header has 2");
  }

  @Test
  void aFieldThatTheFileLacksIsRefused() {
    assertThatThrownBy(() -> cells("a\n1\n", "BASE=z", null))
        .hasMessageContaining("no field \"z\"");
    assertThatThrownBy(() -> cells("a\n1\n", null, "z")).hasMessageContaining("no field \"z\"");
    assertThatThrownBy(() -> cells("a\n1\n", "BASE", null)).hasMessageContaining("is not COLUMN=");
  }

  @Test
  void aNameThatTheHeaderRepeatsGetsANumberThatNoOtherNameHas() throws Exception {
    var file = "lat,lat,lat_2,lon,lat,lon\n1,2,3,4,5,6\n";

    assertThat(json(cells(file, null, null)))
        .containsExactly("{\"lat\":1,\"lat_3\":2,\"lat_2\":3,\"lon\":4,\"lat_4\":5,\"lon_2\":6}");
    assertThat(json(cells(file, "BASE=lat_3,lon_2", "lat_2")))
        .containsExactly("{\"lat_3\":2,\"lon_2\":6}");
    try (var csv = new CsvCells(new StringReader(file), Optional.empty(), Optional.empty())) {
      assertThat(csv.renamed()).containsExactly("lat_3", "lat_4", "lon_2");
    }
  }

  @Test
  void anEmptyNameIsRefused() {
    assertThatThrownBy(() -> cells("a,\n1,1\n", null, null))
        .hasMessage("line 1: the header has an empty name: [a, ]");
  }

  private static List<String> json(List<Cell> cells) {
    return cells.stream().map(c -> c.body().toJson()).toList();
  }

  private static List<Cell> cells(String file, String layout, String key)
      throws IOException, InvalidCellException {
    var cells = new ArrayList<Cell>();
    try (var csv =
        new CsvCells(
            new StringReader(file), Optional.ofNullable(layout), Optional.ofNullable(key))) {
      for (var next = csv.next(); next.isPresent(); next = csv.next()) {
        cells.add(next.get());
      }
    }
    return cells;
  }
}
