package io.cellmesh.topics.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
  private final AtomicLong clock = new AtomicLong(1_000);

  @Test
  void stepsAreSpreadOverTheSecond() {
    var pace = new Pace(10, clock::get);

    pace.await();
    assertThat(pace.due()).isEqualTo(100_000_000L);
    clock.addAndGet(100_000_000L);
    assertThat(pace.due()).isZero();
  }

  @Test
  void whoIsLateCatchesUp() {
    var pace = new Pace(10, clock::get);
    pace.await();
    clock.addAndGet(1_000_000_000L);

    for (int step = 0; step < 10; step++) {
      assertThat(pace.due()).isZero();
      pace.await();
    }
    assertThat(pace.due()).isEqualTo(100_000_000L);
  }

  @Test
  void whatPassesBeforeTheFirstStepIsNotMadeUpFor() {
    var pace = new Pace(10, clock::get);
    clock.addAndGet(1_000_000_000L);

    pace.await();
    assertThat(pace.due()).isEqualTo(100_000_000L);
  }

  @Test
  void withoutARateNothingIsHeldUp() {
    var pace = new Pace(0, clock::get);
    pace.await();

    assertThat(pace.due()).isZero();
  }
}
