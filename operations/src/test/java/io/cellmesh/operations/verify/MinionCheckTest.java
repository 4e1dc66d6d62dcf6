package io.cellmesh.operations.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MinionCheckTest {
  private final Map<Integer, ShardSum> master =
      Map.of(0, new ShardSum(2, "a"), 1, new ShardSum(3, "b"));

  @Test
  void equalSumsPass() {
    var result = check(master);

    assertThat(result.passed()).isTrue();
    assertThat(result.counts()).containsEntry("shards", 2L).containsEntry("rows", 5L);
  }

  @Test
  void aMissingRowAndAChangedRowAreNamedByTheirShard() {
    assertThat(check(Map.of(0, new ShardSum(1, "x"), 1, new ShardSum(3, "b"))).first())
        .singleElement()
        .satisfies(o -> assertThat(o.what()).contains("has 1 rows, the master 2"));
    assertThat(check(Map.of(0, new ShardSum(2, "a"), 1, new ShardSum(3, "x"))).first())
        .singleElement()
        .satisfies(o -> assertThat(o.key()).isEqualTo("shard 1"));
  }

  private CheckResult check(Map<Integer, ShardSum> minion) {
    var tally = MinionCheck.tally("dc1");
    new MinionCheck(tally).compare("127.0.0.1:3302", master, minion);
    return tally.result();
  }
}
