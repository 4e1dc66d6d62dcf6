package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Pace pace = new Pace();

  @Test
  void nothing_known_is_no_reason_to_prefer_another() {
    assertThat(pace.expected(SECOND)).isZero();
  }

  @Test
  void what_comes_again_and_again_is_expected() {
    for (int i = 0; i < 50; i++) {
      pace.begin(i * 10 * MS);
      pace.ended(i * 10 * MS, i * 10 * MS + 8 * MS, true);
    }
    assertThat(pace.expected(500 * MS)).isCloseTo(8 * MS, within(1.0 * MS));
  }

  @Test
  void one_that_has_not_answered_yet_is_as_slow_as_it_has_been_so_far() {
    pace.begin(0);
    pace.begin(100 * MS);
    assertThat(pace.expected(300 * MS)).isEqualTo(300.0 * MS);
    pace.ended(0, 301 * MS, true);
    assertThat(pace.expected(302 * MS)).isGreaterThan(200.0 * MS);
  }

  @Test
  void one_that_failed_late_is_slow_at_once_and_unknown_after_a_minute() {
    pace.begin(0);
    pace.ended(0, 200 * MS, false);
    assertThat(pace.expected(200 * MS)).isEqualTo(200.0 * MS);
    assertThat(pace.expected(60 * SECOND)).isLessThan(1.0 * MS);
  }
}
