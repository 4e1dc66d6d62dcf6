package io.cellmesh.worker.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.worker.status.StatusView.CellStand;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RowPlaceTest {
  private static final UUID ROW = UUID.fromString("0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f01");

  @Test
  void every_cell_that_any_place_has_is_there_once_with_where_it_stands() throws Exception {
    var master = RowPlace.entity("m", "master", "", List.of(record("BASE", 1), record("BASE", 2)));
    var minion = RowPlace.entity("n", "minion", "", List.of(record("BASE", 1)));
    var buffer =
        RowPlace.of("b", "buffer", "", "", (key, record) -> key.refKey() == 3 ? "yes" : "no")
            .with(List.of(new RowPlace.Unplaced(cell("BASE", 3))));
    var silent = RowPlace.notAsked("s", "peer", "dc2", "does not answer");

    var row = together(List.of(master, minion, buffer, silent));

    assertThat(row.cells()).extracting(CellStand::ref).containsExactly("3", "2", "1");
    assertThat(row.cells()).extracting(CellStand::latest).containsExactly(true, false, false);
    assertThat(row.cells().get(0).stands())
        .containsEntry("m", "no")
        .containsEntry("n", "no")
        .containsEntry("b", "yes")
        .containsEntry("s", "unknown");
    assertThat(row.cells().get(2).stands()).containsEntry("m", "yes").containsEntry("n", "yes");
    assertThat(row.cells().get(0).addedId()).as("it is in no table yet").isEmpty();
    assertThat(row.places()).extracting(place -> place.asked()).contains(true, false);
  }

  @Test
  void a_ref_key_of_64_bits_and_a_number_of_any_length_stay_what_they_are() throws Exception {
    var row =
        together(List.of(RowPlace.entity("m", "m", "", List.of(record("A", Long.MIN_VALUE)))));
    assertThat(row.cells().get(0).ref()).isEqualTo("-9223372036854775808");
    assertThat(row.cells().get(0).body()).contains("123456789012345678901234567890");
  }

  @Test
  void a_row_of_many_cells_is_shown_in_part_and_says_how_many_there_are() throws Exception {
    var many = new java.util.ArrayList<LogRecord>();
    for (int ref = 0; ref < 1_500; ref++) {
      many.add(record("A", ref));
    }
    var row = together(List.of(RowPlace.entity("m", "m", "", many)));
    assertThat(row.count()).isEqualTo(1_500);
    assertThat(row.cells()).hasSize(1_000);
    assertThat(row.cells().get(0).ref()).isEqualTo("1499");
  }

  @Test
  void a_cell_whose_body_is_damaged_says_so_and_the_others_are_shown() throws Exception {
    var key = new CellKey(ROW, "A", 2);
    var damaged =
        new LogRecord(
            new Cell(key, Body.ofStored(new byte[] {0}), Optional.empty()), 1, 8, Instant.EPOCH);
    var row = together(List.of(RowPlace.entity("m", "m", "", List.of(record("A", 1), damaged))));
    assertThat(row.cells()).extracting(CellStand::ref).containsExactly("2", "1");
    assertThat(row.cells().get(0).body()).startsWith("damaged: ");
    assertThat(row.cells().get(1).body()).startsWith("{");
  }

  private static StatusView.Row together(List<RowPlace> places) {
    return RowPlace.together(ROW, 1, 1, "c1", Optional.empty(), places);
  }

  private static LogRecord record(String column, long ref) throws InvalidCellException {
    return new LogRecord(cell(column, ref), 1, 7, Instant.EPOCH);
  }

  private static Cell cell(String column, long ref) throws InvalidCellException {
    return new Cell(
        new CellKey(ROW, column, ref),
        Body.ofJson("{\"n\":123456789012345678901234567890}"),
        Optional.of(new Origin("dc1", 1)));
  }
}
