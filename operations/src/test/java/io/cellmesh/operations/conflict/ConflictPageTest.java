package io.cellmesh.operations.conflict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.CellKey;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.conflict.ConflictPage.Unread;
import io.cellmesh.storage.ConflictListing.Entry;
import io.cellmesh.storage.IngestTopic;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ConflictPageTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  private final Conflict untold = conflict("dc1", 7, Optional.empty());
  private final Conflict newer = conflict("dc2", 8, Optional.of(NOON.plusSeconds(1)));
  private final Conflict older = conflict("dc1", 9, Optional.of(NOON));

  @Test
  void several_ledgers_are_put_into_one_order_and_cut_where_the_next_page_begins() {
    var page = ConflictPage.of(List.of(older, untold, newer), List.of(), 2);

    assertThat(page.conflicts()).containsExactly(untold, newer);
    assertThat(page.next()).contains(newer.entry().cursor().toString());
    assertThat(ConflictPage.of(List.of(older, untold), List.of(), 2).next()).isEmpty();
  }

  @Test
  void a_ledger_that_can_not_be_read_is_named_beside_what_the_others_hold() {
    var unread = new Unread("dc2", "c1", "db3:3306", "connection refused");
    var page = ConflictPage.of(List.of(older), List.of(unread), 10);

    assertThat(page.conflicts()).containsExactly(older);
    assertThatThrownBy(page::requireComplete)
        .isInstanceOf(OperationException.class)
        .hasMessage("the ledger of c1 in dc2 (db3:3306) can't be read: connection refused");
    ConflictPage.of(List.of(older), List.of(), 10).requireComplete();
  }

  @Test
  void a_conflict_is_named_as_a_worker_names_the_records_position() {
    assertThat(untold.identity()).hasToString("dc1:AAAAAAAA:3:7");
    assertThat(untold.kind()).isEqualTo("mesh");
  }

  private static Conflict conflict(String datacenter, long offset, Optional<Instant> told) {
    return new Conflict(
        datacenter,
        "c1",
        new Entry(
            new CellKey(new UUID(1, offset), "BASE", 1),
            new UUID(0, 9),
            IngestTopic.MESH,
            3,
            offset,
            "ab".repeat(32),
            "cd".repeat(32),
            "dc1",
            "dc2",
            NOON,
            told));
  }
}
