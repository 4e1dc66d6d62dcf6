package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong brought = new AtomicLong();
  private final Pace pace = new Pace(OptionalInt.of(1_000_000), brought::get);

  @Test
  void what_was_taken_has_to_be_paid_for_with_time() {
    assertThat(pace.left(0)).isZero();
    pace.took(500_000, 0);
    assertThat(pace.left(0)).isEqualTo(SECOND / 2);
    assertThat(pace.left(SECOND / 5)).isEqualTo(SECOND / 2 - SECOND / 5);
    pace.took(4_000_000, SECOND / 4);
    assertThat(pace.left(SECOND / 2)).isEqualTo(4 * SECOND);
    assertThat(pace.left(5 * SECOND)).isZero();
  }

  @Test
  void time_in_which_nothing_came_is_not_saved() {
    pace.took(1, 0);
    pace.took(1_000_000, 100 * SECOND);
    assertThat(pace.left(100 * SECOND)).isEqualTo(SECOND);
  }

  @Test
  void a_link_that_is_held_to_cells_a_second_waits_for_each_that_it_brings_from_then_on() {
    brought.set(1_000);
    assertThat(pace.left(0)).isZero();
    pace.keepTo(OptionalDouble.of(100));
    assertThat(pace.left(SECOND)).isZero();
    brought.set(1_050);
    assertThat(pace.left(SECOND)).isEqualTo(SECOND / 2);
    assertThat(pace.left(2 * SECOND)).isZero();
    brought.set(1_150);
    pace.took(500_000, 2 * SECOND);
    assertThat(pace.left(2 * SECOND)).as("the longer one").isEqualTo(SECOND);
    pace.keepTo(OptionalDouble.of(100));
    assertThat(pace.left(2 * SECOND)).as("it is the same").isEqualTo(SECOND);

    pace.keepTo(OptionalDouble.empty());
    brought.set(9_000);
    assertThat(pace.left(2 * SECOND)).as("of the bytes").isEqualTo(SECOND / 2);
  }

  @Test
  void the_time_in_which_cells_are_written_counts_for_them() {
    assertThat(pace.left(0)).isZero();
    pace.keepTo(OptionalDouble.of(100));
    brought.set(50);
    assertThat(pace.left(SECOND / 4)).isEqualTo(SECOND / 4);
    brought.set(100);
    assertThat(pace.left(2 * SECOND)).as("as long as nobody asked, at most").isZero();
    brought.set(150);
    assertThat(pace.left(2 * SECOND)).isEqualTo(SECOND / 2);
  }

  @Test
  void a_link_that_ends_waits_no_more() throws InterruptedException {
    pace.took(Integer.MAX_VALUE);
    pace.end();
    pace.await();
    assertThat(pace.left(System.nanoTime())).isPositive();
  }

  @Test
  void without_a_limit_nobody_waits() throws InterruptedException {
    var free = new Pace(OptionalInt.empty(), () -> 0);
    free.took(Long.MAX_VALUE);
    free.await();
    assertThat(free.left(System.nanoTime())).isZero();
  }
}
