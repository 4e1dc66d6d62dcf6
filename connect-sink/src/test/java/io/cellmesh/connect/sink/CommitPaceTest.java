package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class CommitPaceTest {
  private static final long START = Long.MAX_VALUE - 5;

  private static final TopicPartition MESH = new TopicPartition("trips.mesh", 3);

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

  @Test
  void links_that_may_wait_get_a_commit_soon_and_whoever_has_more_room_does_not() {
    int part = CommitPace.PART_OF_A_WINDOW;
    for (int i = 0; i < part - 1; i++) {
      pace.wrote(MESH);
      pace.wrote(new TopicPartition("trips.mesh", 4));
    }
    assertThat(pace.isDue(false, START + 5 * CommitPace.EVERY)).isFalse();
    pace.wrote(MESH);
    assertThat(pace.isDue(false, START + 5 * CommitPace.EVERY)).isTrue();
    assertThat(pace.isDue(false, START + 5 * CommitPace.EVERY + CommitPace.OFTEN - 1)).isFalse();
    assertThat(pace.isDue(false, START + 5 * CommitPace.EVERY + CommitPace.OFTEN)).isTrue();
    pace.committed();
    assertThat(pace.isDue(false, START + 9 * CommitPace.EVERY)).isFalse();
  }
}
