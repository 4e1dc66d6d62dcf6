package io.cellmesh.operations.mesh.joining;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Shards;
import io.cellmesh.deployment.Seed;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What comes next in a partition of a seed, by what it has. */
class SeedOrderTest {
  private static final Shards SHARDS = new Shards(8, 2);

  @Test
  void a_partition_that_has_no_cell_begins_with_its_first_shard() {
    assertThat(order(1, false, Optional.empty())).isEqualTo(new SeedOrder(List.of(1, 3, 5, 7), 0));
  }

  @Test
  void the_last_cell_says_which_shards_are_done_and_where_the_next_one_goes_on()
      throws InvalidCellException {
    assertThat(order(1, false, Optional.of(cell(5, 4711))))
        .isEqualTo(new SeedOrder(List.of(5, 7), 4711));
  }

  @Test
  void nothing_comes_behind_the_mark_at_the_end() {
    assertThat(order(0, true, Optional.empty()).shards()).isEmpty();
  }

  private static SeedOrder order(int partition, boolean complete, Optional<LogRecord> last) {
    var log = Optional.of(new MeshPlace(new RememberedLog("kafka", "log"), 9));
    return SeedOrder.of(new Seed.Part(partition, log, complete, last, 0, 100), SHARDS);
  }

  private static LogRecord cell(int shard, long addedId) throws InvalidCellException {
    var key = new CellKey(new UUID(1, 2), "BASE", 1);
    var cell = new Cell(key, Body.ofJson("1"), Optional.of(new Origin("dc1", addedId)));
    return new LogRecord(cell, shard, addedId, Instant.EPOCH);
  }
}
