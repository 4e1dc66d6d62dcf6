package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.connect.client.Waiting;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WatchingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();

  @Test
  void what_fails_is_begun_again_and_ends_when_it_is_closed() {
    var watching =
        Watching.start(
            "test",
            goesOn -> {
              if (begun.incrementAndGet() < 3) {
                throw new IllegalStateException("struck");
              }
              while (goesOn.getAsBoolean()) {
                Thread.onSpinWait();
              }
              ended.incrementAndGet();
            });
    try (watching) {
      assertThat(Waiting.within(PATIENCE, () -> begun.get() == 3)).isTrue();
    }
    assertThat(begun).hasValue(3);
    assertThat(ended).hasValue(1);
  }
}
