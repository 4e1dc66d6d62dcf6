package io.cellmesh.worker.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.index.FieldType;
import io.cellmesh.cell.index.IndexColumn;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexField;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IndexedRowTest {
  private static final UUID ROW = UUID.fromString("0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f01");
  private static final IndexDefinition BY_DRIVER =
      new IndexDefinition(
          "by_driver",
          "trips",
          List.of(
              new IndexColumn(
                  "BASE",
                  List.of(
                      IndexField.of("driver", FieldType.STRING),
                      IndexField.of("fare", FieldType.DECIMAL)))));

  @Test
  void a_cell_that_does_not_fit_leaves_the_entry_of_those_that_do() throws Exception {
    var indexed =
        IndexedRow.of(
            BY_DRIVER,
            ROW,
            List.of(
                cell("BASE", 1, "{\"driver\":\"ann\",\"fare\":3}"),
                cell("BASE", 2, "{\"driver\":\"bob\",\"fare\":true}"),
                cell("STATUS", 7, "\"paid\"")));

    assertThat(indexed.entry().orElseThrow().values()).containsExactly("ann", "3");
    assertThat(indexed.used()).containsExactly(new CellKey(ROW, "BASE", 1));
  }

  @Test
  void a_cell_whose_body_is_damaged_leaves_it_too() throws Exception {
    var damaged =
        new LogRecord(
            new Cell(new CellKey(ROW, "BASE", 2), Body.ofStored(new byte[] {0}), Optional.empty()),
            1,
            8,
            Instant.EPOCH);
    var cells = List.of(damaged, cell("BASE", 1, "{\"driver\":\"ann\"}"));

    assertThat(IndexedRow.of(BY_DRIVER, ROW, cells).used())
        .containsExactly(new CellKey(ROW, "BASE", 1));
  }

  private static LogRecord cell(String column, long refKey, String body) throws Exception {
    var cell = new Cell(new CellKey(ROW, column, refKey), Body.ofJson(body), Optional.empty());
    return new LogRecord(cell, 1, 7, Instant.EPOCH);
  }
}
