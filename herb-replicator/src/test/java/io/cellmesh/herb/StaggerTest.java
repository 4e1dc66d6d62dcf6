package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StaggerTest {
  private static final long SPACING = TimeUnit.MILLISECONDS.toNanos(Stagger.SPACING_MS);

  private final Stagger stagger = new Stagger();

  @Test
  void those_that_come_at_once_have_their_turns_one_after_another() {
    assertThat(LongStream.range(0, 50).map(i -> stagger.turn(7)))
        .containsExactlyElementsOf(LongStream.range(0, 50).map(i -> i * SPACING).boxed().toList());
  }

  @Test
  void whoever_comes_alone_waits_for_nobody() {
    assertThat(stagger.turn(Long.MIN_VALUE)).isZero();
    assertThat(stagger.turn(Long.MIN_VALUE + SPACING)).isZero();
    assertThat(stagger.turn(Long.MIN_VALUE + SPACING + 1)).isEqualTo(SPACING - 1);
  }
}
