package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.connect.sink.CommitPace.Found;
import java.util.Map;
import java.util.Set;
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
    pace.committing(Map.of(), START + 5 * CommitPace.EVERY + CommitPace.OFTEN);
    assertThat(pace.isDue(false, START + 9 * CommitPace.EVERY)).isFalse();
  }

  @Test
  void a_commit_that_was_asked_for_is_looked_for_once_a_second_later() {
    long asked = commit(100);
    assertThat(pace.toLookAt(asked + CommitPace.EVERY - 1)).isEmpty();
    assertThat(pace.toLookAt(asked + CommitPace.EVERY)).containsExactly(MESH);
    assertThat(pace.toLookAt(asked + CommitPace.EVERY + 1)).as("an answer may take long").isEmpty();
    assertThat(pace.toLookAt(asked + 2 * CommitPace.EVERY)).containsExactly(MESH);
    assertThat(pace.found(Map.of(MESH, 100L))).isEqualTo(Found.TAKEN);
    assertThat(pace.toLookAt(asked + 9 * CommitPace.EVERY)).isEmpty();
    assertThat(pace.isDue(false, asked + 9 * CommitPace.EVERY)).isFalse();
  }

  @Test
  void one_that_connect_makes_by_itself_is_not_looked_for() {
    pace.committing(Map.of(MESH, 100L), START);
    assertThat(pace.toLookAt(START + 9 * CommitPace.EVERY)).isEmpty();
  }

  @Test
  void one_that_failed_is_asked_for_again_each_second_until_kafka_has_it_and_told_once() {
    long asked = commit(100);
    assertThat(pace.found(Map.of(MESH, 99L))).isEqualTo(Found.FAILED);
    assertThat(pace.isDue(false, asked + CommitPace.EVERY - 1)).isFalse();
    assertThat(pace.isDue(false, asked + CommitPace.EVERY)).isTrue();
    pace.committing(Map.of(MESH, 100L), asked + CommitPace.EVERY);
    assertThat(pace.toLookAt(asked + 2 * CommitPace.EVERY)).containsExactly(MESH);
    assertThat(pace.found(Map.of(MESH, 99L))).isEqualTo(Found.FAILED_AGAIN);

    assertThat(pace.isDue(false, asked + 2 * CommitPace.EVERY)).isTrue();
    pace.committing(Map.of(MESH, 100L), asked + 2 * CommitPace.EVERY);
    assertThat(pace.toLookAt(asked + 3 * CommitPace.EVERY)).containsExactly(MESH);
    assertThat(pace.found(Map.of(MESH, 100L))).isEqualTo(Found.TAKEN_AGAIN);
    assertThat(pace.isDue(false, asked + 9 * CommitPace.EVERY)).isFalse();
  }

  @Test
  void a_later_one_shows_of_an_earlier_one_that_it_was_taken() {
    long asked = commit(100);
    write();
    assertThat(pace.isDue(false, asked + CommitPace.OFTEN)).isTrue();
    pace.committing(Map.of(MESH, 200L), asked + CommitPace.OFTEN);
    assertThat(pace.toLookAt(asked + CommitPace.EVERY))
        .as("however often others come in between")
        .containsExactly(MESH);
    assertThat(pace.found(Map.of(MESH, 200L))).isEqualTo(Found.TAKEN);
  }

  @Test
  void one_behind_which_records_are_read_again_has_not_failed() {
    long asked = commit(100);
    pace.committing(Map.of(MESH, 80L), asked + CommitPace.OFTEN);
    pace.committing(Map.of(), asked + 2 * CommitPace.OFTEN);
    assertThat(pace.toLookAt(asked + CommitPace.EVERY)).containsExactly(MESH);
    assertThat(pace.found(Map.of(MESH, 80L))).isEqualTo(Found.TAKEN);
  }

  @Test
  void what_is_not_known_and_what_others_have_by_now_has_not_failed() {
    commit(100);
    assertThat(pace.found(Map.of())).as("nobody may say").isEqualTo(Found.TAKEN);
    long asked = START + 8 * CommitPace.EVERY;
    write();
    assertThat(pace.isDue(false, asked)).isTrue();
    pace.committing(Map.of(MESH, 200L), asked);
    pace.forget(Set.of(MESH));
    assertThat(pace.toLookAt(asked + 9 * CommitPace.EVERY)).isEmpty();
  }

  /** Returns when a commit was asked for. */
  private long commit(long offset) {
    long asked = START + 5 * CommitPace.EVERY;
    write();
    assertThat(pace.isDue(false, asked)).isTrue();
    pace.committing(Map.of(MESH, offset), asked);
    return asked;
  }

  private void write() {
    for (int i = 0; i < CommitPace.PART_OF_A_WINDOW; i++) {
      pace.wrote(MESH);
    }
  }
}
