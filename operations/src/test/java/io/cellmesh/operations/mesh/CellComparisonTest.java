package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.operations.mesh.CellDifference.Kind;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CellComparisonTest {
  private static final CellKey KEY = new CellKey(new UUID(1, 2), "BASE", 1);

  @Test
  void what_a_log_lacks_is_told_by_the_row_of_its_key() throws InvalidCellException {
    assertThat(kind(FoldSource.LOG, "dc2", 1)).isEqualTo(Kind.UNLOGGED);
    assertThat(kind(FoldSource.LOG, "dc2", 2)).isEqualTo(Kind.CHANGED);
    assertThat(kind(FoldSource.LOG, "dc1", 1)).isEqualTo(Kind.ACCEPTED_HERE);
    assertThat(kind(FoldSource.LOG, "dc1", 2)).isEqualTo(Kind.REFUSED);
  }

  @Test
  void what_a_table_lacks_is_missing_unless_its_key_was_taken_here() throws InvalidCellException {
    assertThat(kind(FoldSource.TABLE, "dc2", 1)).as("of a minion").isEqualTo(Kind.MISSING);
    assertThat(kind(FoldSource.TABLE, "dc2", 2)).isEqualTo(Kind.MISSING);
    assertThat(kind(FoldSource.TABLE, "dc1", 1)).isEqualTo(Kind.ACCEPTED_HERE);
    assertThat(kind(FoldSource.TABLE, "dc1", 2)).isEqualTo(Kind.REFUSED);
  }

  private static Kind kind(FoldSource in, String origin, int value) throws InvalidCellException {
    var comparison =
        new CellComparison(BareDataCenter.nowhere("dc2"), BareDataCenter.nowhere("dc1"), in);
    return comparison.kind(RangeCells.Found.of(cell("dc2", 1)), cell(origin, value));
  }

  private static Cell cell(String origin, int value) throws InvalidCellException {
    var body = Body.ofJson("{\"n\":%d}".formatted(value));
    return new Cell(KEY, body, Optional.of(new Origin(origin, 7)));
  }
}
