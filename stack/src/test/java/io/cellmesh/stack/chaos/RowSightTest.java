package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.stack.chaos.RowSight.Answer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RowSightTest {
  private static final long NOW = Duration.ofHours(1).toNanos();
  private static final Optional<Duration> MASTERS = Optional.of(Duration.ZERO);
  private static final Optional<Duration> UNKNOWN = Optional.empty();

  private final RowSight sight = new RowSight();

  @Test
  void an_answer_has_what_the_position_covers_whichever_server_gave_it() {
    sight.covers(7);

    assertThat(sight.judge(new Answer(6, NOW, UNKNOWN, true, true))).isPresent();
    assertThat(sight.judge(new Answer(7, NOW, UNKNOWN, true, true))).isEmpty();
    assertThat(sight.judge(new Answer(6, NOW, UNKNOWN, false, true))).isEmpty();
  }

  @Test
  void the_masters_answer_lacks_nothing_that_was_there_before_the_call() {
    sight.seen(5, secondsAgo(0.001), false);

    assertThat(sight.judge(new Answer(4, NOW, MASTERS, false, false))).isPresent();
    assertThat(sight.judge(new Answer(5, NOW, MASTERS, false, false))).isEmpty();
    assertThat(sight.judge(new Answer(4, secondsAgo(1), MASTERS, false, false))).isEmpty();
  }

  @Test
  void a_minions_answer_lacks_only_what_is_younger_than_it_says() {
    sight.seen(5, secondsAgo(2), false);

    assertThat(sight.judge(new Answer(4, NOW, seconds(1), false, false))).isPresent();
    assertThat(sight.judge(new Answer(4, NOW, seconds(3), false, false))).isEmpty();
    assertThat(sight.judge(new Answer(4, NOW, UNKNOWN, false, false))).isEmpty();
  }

  @Test
  void a_lost_master_takes_back_what_was_not_replicated_and_nothing_else() {
    sight.seen(5, secondsAgo(2), true);
    sight.seen(6, secondsAgo(2), false);

    assertThat(sight.judge(new Answer(5, NOW, MASTERS, false, true))).isEmpty();
    assertThat(sight.judge(new Answer(4, NOW, MASTERS, false, true))).isPresent();
    assertThat(sight.judge(new Answer(5, NOW, MASTERS, false, false))).isPresent();
  }

  private static long secondsAgo(double seconds) {
    return NOW - (long) (seconds * 1e9);
  }

  private static Optional<Duration> seconds(int seconds) {
    return Optional.of(Duration.ofSeconds(seconds));
  }
}
