package io.cellmesh.operations.conflict;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Shards;
import io.cellmesh.operations.conflict.RefusedCells.Refused;
import io.cellmesh.storage.ConflictListing.Entry;
import io.cellmesh.storage.IngestTopic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RefusedCellsTest {
  private static final Shards SHARDS = new Shards(2, 1);
  private static final int COUNT = 2 * RefusedCells.PAGE + 300;

  private final List<Entry> ledger = new ArrayList<>();
  private final List<Long> asked = new ArrayList<>();

  @Test
  void those_of_a_shard_and_a_range_come_once_in_their_order_page_by_page() throws Exception {
    for (int i = 0; i < COUNT; i++) {
      ledger.add(refused(2L * i));
    }
    for (int shard = 0; shard < 2; shard++) {
      var found = new ArrayList<Refused>();
      asked.clear();
      new RefusedCells(SHARDS, this::page).of(shard, 2, 2 * COUNT - 2, found::add);

      int expected = shard;
      assertThat(found)
          .extracting(Refused::offset)
          .containsExactlyElementsOf(
              ledger.subList(1, COUNT - 1).stream()
                  .filter(entry -> SHARDS.of(entry.key().rowKey()) == expected)
                  .map(Entry::offset)
                  .toList());
      assertThat(asked).hasSize(3);
      assertThat(found.get(0).origin()).isEqualTo("dc2");
      assertThat(found.get(0).digest()).isEqualTo("cd".repeat(32));
    }
  }

  @Test
  void a_ledger_that_ends_with_a_full_page_is_asked_once_more_and_an_empty_range_never()
      throws Exception {
    for (int i = 0; i < RefusedCells.PAGE; i++) {
      ledger.add(refused(i));
    }
    var cells = new RefusedCells(SHARDS, this::page);
    cells.of(0, 0, 5_000, refused -> {});
    cells.of(0, 7, 7, refused -> {});

    assertThat(asked).containsExactly(0L, (long) RefusedCells.PAGE);
  }

  private List<Entry> page(int shard, long from, long end) {
    asked.add(from);
    return ledger.stream()
        .filter(entry -> entry.offset() >= from && entry.offset() < end)
        .limit(RefusedCells.PAGE)
        .toList();
  }

  private static Entry refused(long offset) {
    return new Entry(
        new CellKey(new UUID(offset, ~offset), "BASE", 1),
        new UUID(1, 2),
        IngestTopic.MESH,
        0,
        offset,
        "ab".repeat(32),
        "cd".repeat(32),
        "dc1",
        "dc2",
        Instant.EPOCH,
        Optional.empty());
  }
}
