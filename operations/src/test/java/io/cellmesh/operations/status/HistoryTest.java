package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.GtidSet;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final String FIRST = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final String SECOND = "4e11fa47-71ca-11e1-9e33-c80aa9429562";

  private static final History MASTER = history(SECOND, FIRST + ":1-90," + SECOND + ":1-50");

  @Test
  void a_minion_that_is_only_behind_is_one() {
    assertThat(history(FIRST, FIRST + ":1-90," + SECOND + ":1-20").partsFrom(MASTER)).isEmpty();
  }

  @Test
  void an_old_master_from_a_backup_is_none_although_it_follows_without_an_error() {
    assertThat(history(FIRST, FIRST + ":1-70," + SECOND + ":1-50").partsFrom(MASTER))
        .hasValue(
            "lacks 20 transactions that it once committed itself (3e11fa47…:71-90): it was restored from a backup, and never gets them by following");
  }

  @Test
  void a_minion_with_transactions_that_the_master_lacks_is_none() {
    assertThat(history(FIRST, FIRST + ":1-91," + SECOND + ":1-50").partsFrom(MASTER))
        .hasValue("has 1 transactions that its master lacks (3e11fa47…:91)");
  }

  @Test
  void a_master_from_a_backup_is_known_by_what_its_minion_has_of_it() {
    var minion = history(FIRST, FIRST + ":1-90," + SECOND + ":1-60");
    assertThat(MASTER.lost(minion)).isEqualTo(GtidSet.parse(SECOND + ":51-60"));
    assertThat(MASTER.lost(history(FIRST, FIRST + ":1-95," + SECOND + ":1-50")).isEmpty()).isTrue();
  }

  private static History history(String uuid, String executed) {
    return new History(uuid, GtidSet.parse(executed));
  }
}
