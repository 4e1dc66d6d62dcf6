package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommitPaceTest {
  private static final long START = Long.MAX_VALUE - 5;

  private final CommitPace pace = new CommitPace(START);

  @Test
  void a_commit_is_asked_for_once_a_second_while_a_primary_is_behind() {
    assertThat(pace.isDue(true, START + CommitPace.EVERY - 1)).isFalse();
    assertThat(pace.isDue(true, START + CommitPace.EVERY)).isTrue();
    assertThat(pace.isDue(true, START + 2 * CommitPace.EVERY - 1)).isFalse();
    assertThat(pace.isDue(true, START + 2 * CommitPace.EVERY)).isTrue();
  }

  @Test
  void none_is_asked_for_while_nobody_is_behind_and_one_at_once_when_somebody_is() {
    assertThat(pace.isDue(false, START + 5 * CommitPace.EVERY)).isFalse();
    assertThat(pace.isDue(true, START + 5 * CommitPace.EVERY + 1)).isTrue();
  }
}
