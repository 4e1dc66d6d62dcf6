package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FirstFailureTest {
  private final FirstFailure failure = new FirstFailure();

  @Test
  void whoever_waits_is_told_of_none_while_there_is_none() throws InterruptedException {
    assertThat(failure.await(Duration.ofMillis(1))).isEmpty();
    assertThat(failure.isThere()).isFalse();
  }

  @Test
  void the_first_of_several_counts_and_stays() throws InterruptedException {
    var first = new IllegalStateException("first");
    failure.note(first);
    failure.note(new IllegalStateException("closed"));
    assertThat(failure.isThere()).isTrue();
    assertThat(failure.await(Duration.ZERO)).contains(first);
    assertThat(failure.await(Duration.ZERO)).contains(first);
  }
}
