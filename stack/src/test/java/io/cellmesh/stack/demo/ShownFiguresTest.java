package io.cellmesh.stack.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ShownFiguresTest {

  @Test
  void percentilesAreSamplesThatWereSeen() {
    var samples = new Samples("hop");
    for (int i = 1; i <= 100; i++) {
      samples.add(0, i * 1_000_000L);
    }

    assertThat(samples.percentile(0.5)).isEqualTo(50);
    assertThat(samples.percentile(0.99)).isEqualTo(99);
    assertThat(new Samples("none").percentile(0.5)).isNaN();
  }

  @Test
  void aBarIsAsHighAsItsShareAndNoneIsEmpty() {
    assertThat(ShardBars.of(Map.of(0, 8L, 1, 4L, 2, 0L, 3, 1L), 64)).isEqualTo("█▄ ▁");
  }

  @Test
  void manyShardsShareACharacter() {
    var counts = new TreeMap<Integer, Long>();
    for (int shard = 0; shard < 4096; shard++) {
      counts.put(shard, 1L);
    }

    assertThat(ShardBars.of(counts, 64)).hasSize(64).isEqualTo("█".repeat(64));
  }
}
