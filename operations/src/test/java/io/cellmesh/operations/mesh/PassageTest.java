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
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PassageTest {
  private static final int SHARD = 3;

  /** The first offset that the mesh topic retains. */
  private static final long BEGIN = 40;

  /** Where the link stands in the origin's log. */
  private static final long PLACE = 900;

  private final RangeCells mesh =
      new RangeCells("dc2", Map.of(SHARD, List.of(new IdRange(SHARD, 0, 100))));

  @Test
  void a_cell_in_the_mesh_topic_is_due_once_the_position_has_passed_it()
      throws InvalidCellException {
    arrived(7, 55);
    assertThat(passage(55).isOver(SHARD, 7, 800)).isFalse();
    assertThat(passage(56).isOver(SHARD, 7, 800)).isTrue();
  }

  @Test
  void one_that_the_link_has_not_read_is_on_its_way() {
    assertThat(passage(56).isOver(SHARD, 7, PLACE)).isFalse();
    assertThat(passage(56).isOver(SHARD, 7, PLACE + 1)).isFalse();
  }

  @Test
  void one_that_the_link_has_brought_and_the_mesh_topic_has_not_is_due_unless_it_expired_unread() {
    assertThat(passage(BEGIN).isOver(SHARD, 7, PLACE - 1)).isTrue();
    assertThat(passage(BEGIN - 1).isOver(SHARD, 7, PLACE - 1)).isFalse();
  }

  private Passage passage(long position) {
    return new Passage(PLACE, mesh, BEGIN, Map.of(SHARD, position));
  }

  private void arrived(long id, long offset) throws InvalidCellException {
    var key = new CellKey(new UUID(1, 2), "BASE", id);
    var cell = new Cell(key, Body.ofJson("1"), Optional.of(new Origin("dc2", id)));
    mesh.add(SHARD, cell, OptionalLong.of(offset));
  }
}
