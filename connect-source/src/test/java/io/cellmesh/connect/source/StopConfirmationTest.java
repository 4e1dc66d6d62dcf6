package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.connect.source.StopConfirmation.Step;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StopConfirmationTest {
  private static final Duration LASTING = Duration.ofSeconds(2);

  private final AtomicLong time = new AtomicLong(-7);
  private final StopConfirmation confirmation = new StopConfirmation(time::get);
  private long asked = time.get();

  @Test
  void a_stop_is_certain_when_answers_that_were_asked_for_after_a_while_still_amount_to_it() {
    assertThat(next()).isEqualTo(Step.WAIT);
    pass(Duration.ofSeconds(3));
    assertThat(next()).isEqualTo(Step.ASK_AGAIN);
    asked = time.get();
    assertThat(next()).isEqualTo(Step.STOP);
  }

  @Test
  void answers_from_before_don_t_become_certain_with_time() {
    next();
    pass(Duration.ofMinutes(10));
    assertThat(next()).isEqualTo(Step.ASK_AGAIN);
  }

  @Test
  void a_stop_that_was_revoked_begins_anew() {
    next();
    pass(Duration.ofSeconds(3));
    confirmation.revoke();
    asked = time.get();
    assertThat(next()).isEqualTo(Step.WAIT);
  }

  private Step next() {
    return confirmation.next(LASTING, asked);
  }

  private void pass(Duration duration) {
    time.addAndGet(duration.toNanos());
  }
}
