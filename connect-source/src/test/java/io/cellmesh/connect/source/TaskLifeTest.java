package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.connect.source.TaskLife.Sign;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TaskLifeTest {
  private final AtomicLong time = new AtomicLong(-7);
  private final TaskLife life = new TaskLife(time::get);

  @Test
  void a_task_that_was_alive_is_lost_after_a_few_seconds_without_a_sign() {
    assertThat(lostFor(Sign.ALIVE, Duration.ofMinutes(1))).isFalse();
    assertThat(lostFor(Sign.NONE, Duration.ofSeconds(3))).isFalse();
    assertThat(lostFor(Sign.NONE, Duration.ofSeconds(2))).isTrue();
  }

  @Test
  void a_task_that_connect_has_only_just_begun_to_start_is_waited_for() {
    assertThat(lostFor(Sign.NONE, Duration.ofSeconds(14))).isFalse();
    assertThat(lostFor(Sign.NONE, Duration.ofSeconds(2))).isTrue();
  }

  @Test
  void nobody_knows_of_a_task_while_no_server_answers() {
    assertThat(lostFor(Sign.ALIVE, Duration.ofMinutes(1))).isFalse();
    assertThat(lostFor(Sign.UNKNOWN, Duration.ofMinutes(10))).isFalse();
    assertThat(lostFor(Sign.NONE, Duration.ofSeconds(3))).isFalse();
    assertThat(lostFor(Sign.ALIVE, Duration.ofSeconds(3))).isFalse();
  }

  @Test
  void starts_that_fail_again_come_ever_more_seldom() {
    assertThat(lostFor(Sign.NONE, Duration.ofMinutes(1))).isTrue();
    for (int seconds : new int[] {15, 30, 60, 120, 240, 300, 300}) {
      life.startedAnew();
      assertThat(lostFor(Sign.NONE, Duration.ofSeconds(seconds - 1))).isFalse();
      assertThat(lostFor(Sign.NONE, Duration.ofSeconds(1))).isTrue();
    }
  }

  @Test
  void a_task_that_has_lived_for_a_while_is_started_soon_again() {
    assertThat(lostFor(Sign.NONE, Duration.ofMinutes(1))).isTrue();
    life.startedAnew();
    life.startedAnew();
    life.startedAnew();
    assertThat(lostFor(Sign.ALIVE, Duration.ofMinutes(6))).isFalse();
    assertThat(lostFor(Sign.NONE, Duration.ofSeconds(5))).isTrue();
    life.startedAnew();
    assertThat(lostFor(Sign.NONE, Duration.ofSeconds(16))).isTrue();
  }

  /** Whether it counts as lost at the end of a time in which each second brings this sign. */
  private boolean lostFor(Sign sign, Duration duration) {
    boolean lost = false;
    for (long second = 0; second < duration.toSeconds(); second++) {
      time.addAndGet(Duration.ofSeconds(1).toNanos());
      lost = life.isLost(sign);
    }
    return lost;
  }
}
