package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.operations.OperationException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosPlanTest {
  @Test
  void a_lone_broker_is_not_taken_from_exactly_once_sources_and_one_of_three_is() {
    assertThat(ChaosPlan.kinds(List.of(), 1, 1, true))
        .doesNotContain(FaultKind.BROKER_KILL, FaultKind.BROKER_RESTART, FaultKind.BROKER_FULL);
    assertThat(ChaosPlan.kinds(List.of(), 1, 3, true))
        .contains(FaultKind.BROKER_KILL, FaultKind.BROKER_RESTART, FaultKind.BROKER_FULL);
    assertThat(ChaosPlan.kinds(List.of(), 1, 1, false)).contains(FaultKind.BROKER_KILL);

    assertThatThrownBy(() -> plan(1, true, FaultKind.BROKER_FULL))
        .isInstanceOf(OperationException.class)
        .hasMessage("--faults: broker-full needs --at-least-once or --brokers 3");
    assertThat(plan(3, true, FaultKind.BROKER_FULL).brokers()).isEqualTo(3);
  }

  @Test
  void two_brokers_of_which_none_may_be_missing_are_refused() {
    assertThatThrownBy(() -> plan(2, true, FaultKind.CUT)).hasMessage("--brokers: 1 or 3");
  }

  private static ChaosPlan plan(int brokers, boolean exactlyOnce, FaultKind kind) {
    return new ChaosPlan(1, brokers, 1, exactlyOnce, 100, List.of(kind), false);
  }
}
