package io.cellmesh.operations.verify;

import static io.cellmesh.operations.verify.World.entities;
import static io.cellmesh.operations.verify.World.key;
import static io.cellmesh.operations.verify.World.own;
import static io.cellmesh.operations.verify.World.row;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeshCheckTest {
  private final Entities there = entities(own(key(1), "1", 3), own(key(2), "2", 7));

  @Test
  void copiesInTheOriginsOrderPass() {
    var result = check(entities(copy(1, "1", 1, 3), copy(2, "2", 2, 7)));

    assertThat(result.passed()).isTrue();
    assertThat(result.counts()).containsEntry("cells", 2L);
  }

  @Test
  void aMissingCopyIsNamed() {
    assertOnly(check(entities(copy(1, "1", 1, 3))), 2, "is missing here");
  }

  @Test
  void aChangedCopyIsNamed() {
    assertOnly(check(entities(copy(1, "9", 1, 3), copy(2, "2", 2, 7))), 1, "another body");
  }

  @Test
  void anotherOrderIsNamed() {
    assertOnly(check(entities(copy(2, "2", 1, 7), copy(1, "1", 2, 3))), 2, "stands before");
  }

  @Test
  void anotherOriginIdIsNamed() {
    assertOnly(check(entities(copy(1, "1", 1, 4), copy(2, "2", 2, 7))), 1, "origin_id 4");
  }

  @Test
  void aCopyOfWhatTheOriginNeverHadIsNamed() {
    var result = check(entities(copy(1, "1", 1, 3), copy(2, "2", 2, 7), copy(3, "3", 3, 8)));

    assertOnly(result, 3, "has no such cell");
  }

  @Test
  void aCellThatBothAcceptedIsExempt() {
    var result = check(entities(row(key(1), "5", 9, "dc2", 9), copy(2, "2", 10, 7)));

    assertThat(result.passed()).isTrue();
    assertThat(result.counts()).containsEntry("accepted by several", 1L).containsEntry("cells", 1L);
  }

  private static io.cellmesh.cell.LogRecord copy(int n, String json, long addedId, long originId) {
    return row(key(n), json, addedId, "dc1", originId);
  }

  private CheckResult check(Entities here) {
    var tally = MeshCheck.tally("dc1", "dc2");
    new MeshCheck(tally, "dc1").compare(there, here);
    return tally.result();
  }

  private static void assertOnly(CheckResult result, int row, String what) {
    assertThat(result.offences()).isEqualTo(1);
    assertThat(result.first().get(0).key()).isEqualTo(key(row).toString());
    assertThat(result.first().get(0).what()).contains(what);
  }
}
