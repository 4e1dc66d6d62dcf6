package io.cellmesh.connect.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitingTest {
  private static final Duration PAUSE = Duration.ofMillis(1);

  @Test
  void what_comes_after_some_looks_is_found() throws Exception {
    var looks = new AtomicInteger();
    var found =
        Waiting.find(
            Duration.ofSeconds(60),
            PAUSE,
            () -> looks.incrementAndGet() == 3 ? Optional.of("there") : Optional.empty());
    assertThat(found).contains("there");
    assertThat(looks).hasValue(3);
  }

  @Test
  void what_was_seen_last_is_told_whether_wanted_or_not() throws Exception {
    var looks = new AtomicInteger();
    var patience = Duration.ofSeconds(60);
    assertThat(Waiting.last(patience, PAUSE, looks::incrementAndGet, seen -> seen == 3))
        .isEqualTo(3);
    assertThat(Waiting.last(Duration.ZERO, PAUSE, looks::incrementAndGet, seen -> false))
        .isEqualTo(4);
  }

  @Test
  void patience_begins_anew_as_long_as_it_moves() throws Exception {
    var looks = new AtomicInteger();
    var stall = Duration.ofMillis(100);
    var pause = Duration.ofMillis(20);
    assertThat(
            Waiting.whileItMoves(
                stall, pause, looks::incrementAndGet, (seen, moved) -> moved && seen == 20))
        .isEqualTo(20);
    assertThat(Waiting.whileItMoves(stall, pause, () -> "still", (seen, moved) -> false))
        .isEqualTo("still");
  }

  @Test
  void what_changes_without_getting_on_renews_no_patience() throws Exception {
    var looks = new AtomicInteger();
    var last =
        Waiting.whileItMoves(
            Duration.ofMillis(50),
            PAUSE,
            looks::incrementAndGet,
            look -> "the same place",
            (seen, moved) -> seen == 100_000);
    assertThat(last).isLessThan(100_000);
  }

  @Test
  void what_has_not_moved_since_the_look_before_can_be_enough() throws Exception {
    var looks = new AtomicInteger();
    assertThat(
            Waiting.whileItMoves(
                Duration.ofSeconds(60),
                PAUSE,
                () -> Math.min(3, looks.incrementAndGet()),
                (seen, moved) -> !moved))
        .isEqualTo(3);
    assertThat(looks).hasValue(4);
  }

  @Test
  void without_patience_it_looks_once() throws Exception {
    var looks = new AtomicInteger();
    assertThat(Waiting.within(Duration.ZERO, PAUSE, () -> looks.incrementAndGet() == 2)).isFalse();
    assertThat(Waiting.within(Duration.ofSeconds(-1), PAUSE, () -> looks.get() == 1)).isTrue();
    assertThat(looks).hasValue(1);
  }

  @Test
  void it_gives_up_when_the_patience_is_over_and_not_before() throws Exception {
    long begun = System.nanoTime();
    assertThat(Waiting.within(Duration.ofMillis(50), PAUSE, () -> false)).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .isGreaterThanOrEqualTo(Duration.ofMillis(50));
  }

  @Test
  void what_a_look_throws_ends_the_waiting() {
    assertThatThrownBy(
            () ->
                Waiting.within(
                    Duration.ofSeconds(60),
                    PAUSE,
                    () -> {
                      throw new IOException("away");
                    }))
        .isInstanceOf(IOException.class);
  }

  @Test
  void an_interruption_is_told_and_kept_where_it_may_not_be_thrown() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Waiting.within(Duration.ofSeconds(60), () -> false))
        .isInstanceOf(ConnectClientException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
