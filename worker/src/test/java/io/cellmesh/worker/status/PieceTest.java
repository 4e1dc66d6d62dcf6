package io.cellmesh.worker.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PieceTest {
  private final MutableClock clock = new MutableClock();

  @Test
  void a_look_that_fails_leaves_what_was_seen_and_says_why_and_since_when() {
    var failing = new AtomicInteger();
    var piece =
        piece(
            1,
            () -> {
              if (failing.get() > 0) {
                throw new SQLException("gone " + failing.getAndIncrement() + "\nand more");
              }
              return "seen";
            });
    assertThat(piece.last().value()).isEmpty();
    piece.look();
    var at = clock.instant();
    failing.set(1);
    clock.pass(Duration.ofSeconds(10));
    var since = clock.instant();
    piece.look();
    clock.pass(Duration.ofSeconds(10));
    piece.look();

    var last = piece.last();
    assertThat(last.value()).contains("seen");
    assertThat(last.at()).contains(at);
    assertThat(last.failure()).contains("gone 2");
    assertThat(last.failingSince()).contains(since);

    failing.set(0);
    piece.look();
    assertThat(piece.last().failure()).isEmpty();
    assertThat(piece.last().failingSince()).isEmpty();
  }

  @Test
  void a_look_for_which_memory_is_short_says_so() {
    var piece =
        piece(
            1,
            () -> {
              throw new OutOfMemoryError("of a test");
            });
    piece.look();
    assertThat(piece.last().failure()).contains("of a test");
  }

  @Test
  void it_rests_for_a_multiple_of_what_a_look_took_and_longer_while_nobody_watches() {
    var took = new AtomicInteger(100);
    var piece =
        piece(
            3,
            () -> {
              clock.pass(Duration.ofMillis(took.get()));
              return "seen";
            });
    assertThat(piece.due(clock.instant(), false)).as("at once").isTrue();
    piece.look();
    assertDue(piece, true, Duration.ofSeconds(2));
    assertDue(piece, false, Piece.UNWATCHED);
    took.set(4_000);
    piece.look();
    assertDue(piece, true, Duration.ofSeconds(12));
    took.set(40_000);
    piece.look();
    assertDue(piece, false, Duration.ofSeconds(120));
  }

  @Test
  void a_clock_that_is_set_while_it_looks_or_after_keeps_it_from_no_look() {
    var piece =
        piece(
            20,
            () -> {
              clock.pass(Duration.ofDays(1));
              return "seen";
            });
    piece.look();
    assertThat(piece.due(clock.instant().plus(Duration.ofHours(1)), false)).isTrue();

    clock.pass(Duration.ofDays(-1));
    assertThat(piece.due(clock.instant(), true)).isTrue();
  }

  private void assertDue(Piece<?> piece, boolean watched, Duration after) {
    var end = clock.instant().plus(after);
    assertThat(piece.due(end.minusMillis(1), watched)).isFalse();
    assertThat(piece.due(end, watched)).isTrue();
  }

  @Test
  void one_thread_looks_at_a_time_and_it_is_not_due_meanwhile() throws Exception {
    var asked = new AtomicInteger();
    var begun = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    var piece =
        piece(
            1,
            () -> {
              asked.incrementAndGet();
              begun.countDown();
              end.await();
              return "seen";
            });
    var thread = new Thread(piece::look);
    thread.start();
    begun.await();
    clock.pass(Duration.ofHours(1));
    assertThat(piece.due(clock.instant(), true)).isFalse();
    piece.look();
    assertThat(asked).hasValue(1);
    end.countDown();
    thread.join();
    assertThat(piece.last().value()).contains("seen");
  }

  @Test
  void what_a_failure_says_is_one_line_that_is_bounded_and_printable() {
    assertThat(Piece.why(new IllegalStateException("a\u0007" + "x".repeat(10_000) + "\nb")))
        .hasSizeLessThan(600)
        .doesNotContain("\u0007", "\n");
    assertThat(Piece.why(new IllegalStateException())).isEqualTo("IllegalStateException");
  }

  private <T> Piece<T> piece(int rest, Piece.Question<T> question) {
    return new Piece<>("it", Duration.ofSeconds(2), rest, question, clock);
  }
}
