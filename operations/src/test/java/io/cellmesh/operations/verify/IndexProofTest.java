package io.cellmesh.operations.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IndexProofTest {
  private static final Duration PATIENCE = Duration.ofMillis(20);
  private static final Duration PAUSE = Duration.ofMillis(1);

  @Test
  void what_a_look_of_any_length_leaves_is_looked_at_again() throws Exception {
    var looks = new AtomicInteger();

    int left =
        IndexProof.settle(
            PATIENCE,
            PAUSE,
            () -> {
              Thread.sleep(2 * PATIENCE.toMillis());
              return 3 - looks.incrementAndGet();
            });

    assertThat(left).isZero();
    assertThat(looks).hasValue(3);
  }

  @Test
  void what_stays_different_is_wrong_in_the_end() throws Exception {
    assertThat(IndexProof.settle(PATIENCE, PAUSE, () -> 7)).isEqualTo(7);
  }
}
