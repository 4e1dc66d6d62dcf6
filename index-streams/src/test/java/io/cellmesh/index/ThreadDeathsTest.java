package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThreadDeathsTest {
  private long now = Long.MAX_VALUE - 5;
  private final ThreadDeaths deaths = new ThreadDeaths(() -> now);

  @Test
  void threadsThatDieSoonAfterOneAnotherAreReplacedLaterEachTime() {
    for (long pause : new long[] {2, 4, 8, 16, 30, 30}) {
      assertThat(die()).isEqualTo(pause);
      pass(pause + 59);
    }
    pass(1);
    assertThat(die()).isEqualTo(2);
    assertThat(deaths.count()).isEqualTo(7);
    assertThat(deaths.last()).contains("refused");
  }

  @Test
  void oneOrTwoDeathsAreAnAccidentAndMoreInARowAFailure() {
    assertThat(deaths.isFailing()).isFalse();
    die();
    die();
    assertThat(deaths.isFailing()).isFalse();
    long pause = die();
    assertThat(deaths.isFailing()).isTrue();
    pass(pause + 59);
    assertThat(deaths.isFailing()).isTrue();
    pass(1);
    assertThat(deaths.isFailing()).isFalse();
  }

  private long die() {
    return deaths.add(new IllegalStateException("refused"));
  }

  private void pass(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
  }
}
