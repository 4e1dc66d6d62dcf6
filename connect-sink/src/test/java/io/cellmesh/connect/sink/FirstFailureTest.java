package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FirstFailureTest {
  @Test
  void all_steps_are_done_and_the_first_failure_is_thrown_with_the_others() {
    var done = new ArrayList<Integer>();
    var failure = new FirstFailure();
    for (int step : List.of(1, 2, 3)) {
      failure.attempt(
          () -> {
            done.add(step);
            if (step > 1) {
              throw new IllegalStateException("step " + step);
            }
          });
    }

    assertThat(done).containsExactly(1, 2, 3);
    assertThatThrownBy(failure::rethrow)
        .hasMessage("step 2")
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement()
                    .hasToString("java.lang.IllegalStateException: step 3"));
  }

  @Test
  void nothing_is_thrown_where_nothing_failed() {
    var failure = new FirstFailure();
    failure.attempt(() -> {});
    failure.rethrow();
  }
}
