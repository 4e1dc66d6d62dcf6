package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuiescenceTest {
  private static final List<PipelineHop> QUIET = List.of(new PipelineHop("dc1", "a hop", 0));
  private static final List<PipelineHop> BEHIND = List.of(new PipelineHop("dc1", "a hop", 3));

  @Test
  void a_server_that_does_not_answer_one_look_may_answer_the_next() throws Exception {
    var looks = new ArrayDeque<>(List.of(BEHIND, List.<PipelineHop>of(), QUIET, QUIET));

    var behind =
        new Quiescence(
                () -> {
                  var seen = looks.remove();
                  if (seen.isEmpty()) {
                    throw new SQLException("no connection within 2500 ms");
                  }
                  return seen;
                })
            .await(Duration.ofMinutes(1), hops -> {});

    assertThat(behind).isEmpty();
    assertThat(looks).isEmpty();
  }
}
