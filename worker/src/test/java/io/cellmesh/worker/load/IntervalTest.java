package io.cellmesh.worker.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class IntervalTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Such a clock begins anywhere, and goes on from its highest value with its lowest. */
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE);

  private final Interval interval = new Interval(now::get);

  @Test
  void it_has_passed_at_first_and_then_each_time_that_the_clock_has_gone_on_by_as_much() {
    assertThat(interval.hasPassed(SECOND)).isTrue();
    assertThat(interval.hasPassed(SECOND)).isFalse();

    now.addAndGet(SECOND.toNanos() - 1);
    assertThat(interval.hasPassed(SECOND)).isFalse();

    now.addAndGet(1);
    assertThat(interval.hasPassed(SECOND)).isTrue();
    assertThat(interval.hasPassed(SECOND)).isFalse();
  }
}
