package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Origin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RangeCellsTest {
  private static final UUID ROW = new UUID(1, 2);

  private final RangeCells cells =
      new RangeCells("dc2", Map.of(3, List.of(new IdRange(3, 10, 20), new IdRange(3, 30, 40))));

  @Test
  void the_first_occurrences_of_the_origins_cells_within_the_ranges_are_held()
      throws InvalidCellException {
    add("dc2", 9, "1");
    add("dc2", 10, "{\"a\":1,\"b\":2}");
    add("dc1", 11, "1");
    add("dc2", 25, "1");
    add("dc2", 40, "1");
    add("dc2", 10, "7");
    add("dc2", 99, "1");

    assertThat(cells.of(3)).containsOnlyKeys(10L, 40L);
    assertThat(cells.of(3).get(10L).digest())
        .isEqualTo(Body.ofJson("{\"b\":2.0,\"a\":1}").digest());
    assertThat(cells.highest(3)).isEqualTo(99);
    assertThat(cells.inverted(3)).isEmpty();
  }

  @Test
  void one_that_comes_first_behind_a_higher_one_is_inverted() throws InvalidCellException {
    add("dc2", 10, "1");
    add("dc2", 99, "1");
    add("dc2", 12, "1");
    add("dc2", 10, "1");

    assertThat(cells.inverted(3)).containsExactly(12L);
  }

  private void add(String origin, long id, String body) throws InvalidCellException {
    cells.add(
        3,
        new Cell(
            new CellKey(ROW, "BASE", id), Body.ofJson(body), Optional.of(new Origin(origin, id))));
  }
}
