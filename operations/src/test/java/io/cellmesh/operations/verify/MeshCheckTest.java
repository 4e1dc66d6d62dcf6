package io.cellmesh.operations.verify;

import static io.cellmesh.operations.verify.World.entities;
import static io.cellmesh.operations.verify.World.key;
import static io.cellmesh.operations.verify.World.own;
import static io.cellmesh.operations.verify.World.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.storage.ConflictListing.Entry;
import io.cellmesh.storage.IngestTopic;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MeshCheckTest {
  private final Entities there = entities(own(key(1), "1", 3), own(key(2), "2", 7));
  private final Map<CellKey, List<Entry>> ledger = new HashMap<>();
  private final List<CellKey> asked = new ArrayList<>();

  @Test
  void copies_in_the_origins_order_pass() {
    var result = check(entities(copy(1, "1", 1, 3), copy(2, "2", 2, 7)));

    assertThat(result.passed()).isTrue();
    assertThat(result.counts()).containsEntry(MeshCheck.CELLS, 2L);
  }

  @Test
  void a_missing_copy_is_named() {
    assertOnly(check(entities(copy(1, "1", 1, 3))), 2, "is missing here");
  }

  @Test
  void a_changed_copy_is_named() {
    var result = check(entities(copy(1, "9", 1, 3), copy(2, "2", 2, 7)));

    assertOnly(
        result, 1, "another body here: sha256:" + digest("1") + " there, sha256:" + digest("9"));
    assertThat(result.counts())
        .as("what is not equal is not counted")
        .containsEntry(MeshCheck.CELLS, 1L);
  }

  @Test
  void another_order_is_named() {
    assertOnly(check(entities(copy(2, "2", 1, 7), copy(1, "1", 2, 3))), 2, "stands before");
  }

  @Test
  void another_origin_id_is_named() {
    assertOnly(check(entities(copy(1, "1", 1, 4), copy(2, "2", 2, 7))), 1, "origin_id 4");
  }

  @Test
  void a_cell_that_the_origin_had_lost_and_got_back_has_the_id_that_it_had() throws SQLException {
    var restored = entities(own(key(1), "1", 3), row(key(2), "2", 1_000_000_000_001L, "dc1", 7));
    var tally = MeshCheck.tally("dc1", "dc2");
    new MeshCheck(tally, "dc1", keys -> Map.of())
        .compare(restored, entities(copy(1, "1", 1, 3), copy(2, "2", 2, 7)));
    assertThat(tally.result().passed()).isTrue();
  }

  @Test
  void a_copy_of_what_the_origin_never_had_is_named() {
    var result = check(entities(copy(1, "1", 1, 3), copy(2, "2", 2, 7), copy(3, "3", 3, 8)));

    assertOnly(result, 3, "has no such cell");
  }

  @Test
  void a_cell_that_both_accepted_with_equal_bodies_is_exempt_from_the_order() {
    var result = check(entities(row(key(1), "1.0", 9, "dc2", 9), copy(2, "2", 2, 7)));

    assertThat(result.passed()).isTrue();
    assertThat(result.counts())
        .containsEntry(MeshCheck.EQUAL, 1L)
        .containsEntry(MeshCheck.CONFLICTS, 0L)
        .containsEntry(MeshCheck.CELLS, 1L);
    assertThat(asked).as("the ledger is asked only about what differs").isEmpty();
  }

  @Test
  void a_cell_that_both_accepted_with_other_bodies_is_in_the_ledger_here_with_both_digests() {
    ledger.put(key(1), List.of(decision("8", "1", "dc1"), decision("5", "1", "dc1")));

    var result = check(conflicting());

    assertThat(result.passed()).isTrue();
    assertThat(result.counts())
        .containsEntry(MeshCheck.CONFLICTS, 1L)
        .containsEntry(MeshCheck.EQUAL, 0L);
    assertThat(asked).containsExactly(key(1));
  }

  @Test
  void a_difference_that_no_ledger_explains_is_named_with_its_key_and_digests() {
    var digests = "sha256:%s there, sha256:%s here".formatted(digest("1"), digest("5"));
    assertOnly(check(conflicting()), 1, digests);
    for (var other :
        List.of(decision("5", "2", "dc1"), decision("6", "1", "dc1"), decision("5", "1", "dc3"))) {
      ledger.put(key(1), List.of(other));
      assertOnly(check(conflicting()), 1, digests);
    }
  }

  @Test
  void a_body_that_is_damaged_is_no_conflict_of_any_ledger() {
    ledger.put(key(1), List.of(decision("5", "1", "dc1")));
    var damaged =
        new LogRecord(
            new Cell(key(1), Body.ofStored(new byte[] {9, 9}), Optional.of(new Origin("dc2", 9))),
            0,
            9,
            World.NOON);

    assertOnly(check(entities(damaged, copy(2, "2", 10, 7))), 1, "sha256:damaged here");
  }

  private static Entities conflicting() {
    return entities(row(key(1), "5", 9, "dc2", 9), copy(2, "2", 10, 7));
  }

  private static String digest(String json) {
    return World.body(json).digest();
  }

  /** About the first key, whose cell here is of dc2. */
  private static Entry decision(String kept, String refused, String refusedOrigin) {
    return new Entry(
        key(1),
        new UUID(1, 2),
        IngestTopic.MESH,
        0,
        3,
        digest(kept),
        digest(refused),
        "dc2",
        refusedOrigin,
        World.NOON,
        Optional.empty());
  }

  private static LogRecord copy(int n, String json, long addedId, long originId) {
    return row(key(n), json, addedId, "dc1", originId);
  }

  private CheckResult check(Entities here) {
    var tally = MeshCheck.tally("dc1", "dc2");
    asked.clear();
    try {
      new MeshCheck(
              tally,
              "dc1",
              keys -> {
                asked.addAll(keys);
                return ledger;
              })
          .compare(there, here);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return tally.result();
  }

  private static void assertOnly(CheckResult result, int row, String what) {
    assertThat(result.offences()).isEqualTo(1);
    assertThat(result.first().get(0).key()).isEqualTo(key(row).toString());
    assertThat(result.first().get(0).what()).contains(what);
  }
}
