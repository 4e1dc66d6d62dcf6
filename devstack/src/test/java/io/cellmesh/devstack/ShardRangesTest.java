package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ShardRangesTest {

  @Test
  void shardsAreSplitEvenlyInOrder() {
    assertThat(ShardRanges.split(64, 2))
        .extracting(Object::toString)
        .containsExactly("0-31", "32-63");
    assertThat(ShardRanges.split(64, 3))
        .extracting(Object::toString)
        .containsExactly("0-20", "21-41", "42-63");
    assertThat(ShardRanges.split(2, 2)).extracting(Object::toString).containsExactly("0", "1");
  }

  @Test
  void noClusterGoesWithoutAShard() {
    assertThatThrownBy(() -> ShardRanges.split(2, 3))
        .hasMessage("3 clusters cannot share 2 shards");
  }
}
