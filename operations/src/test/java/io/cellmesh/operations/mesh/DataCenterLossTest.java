package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DataCenterLossTest {
  private static final DataCenter DC1 = BareDataCenter.nowhere("dc1");
  private static final DataCenter DC2 = BareDataCenter.nowhere("dc2");

  /** Nobody has to wait until it is known that it does not answer. */
  private static final DataCenter NAMELESS =
      BareDataCenter.of("dc3", BareDataCenter.nowhere("dc3").topology(), "broker.invalid:9092");

  @Test
  void one_that_is_given_up_already_is_not_asked() throws Exception {
    var loss = DataCenterLoss.of("cellmesh.yaml", "dc4", List.of(DC1, DC2), Set.of("dc2", "dc9"));
    assertThat(loss.survivors()).containsExactly(DC1);
    assertThat(loss.away()).containsExactly("dc2");
    assertThat(new DataCenterLoss("dc4", List.of(), List.of("dc2")).deadlines())
        .containsExactly(
            "dc2 is given up as well and is not asked: once it is back, `cellmesh dc lost dc4 --yes` again brings it what the others have");
  }

  @Test
  void where_all_others_are_given_up_there_is_nobody_to_ask() {
    assertThatThrownBy(() -> DataCenterLoss.of("cellmesh.yaml", "dc4", List.of(DC1), Set.of("dc1")))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("all others are given up as lost: [dc1]");
  }

  @Test
  void one_that_does_not_answer_is_named() {
    var loss = new DataCenterLoss("dc2", List.of(NAMELESS));
    assertThatThrownBy(loss::findings)
        .isInstanceOf(OperationException.class)
        .hasMessageStartingWith("dc3: Kafka at broker.invalid:9092: ");
    assertThatThrownBy(() -> loss.run("anna", 0, OperationListener.silent()))
        .isInstanceOf(OperationException.class)
        .hasMessageStartingWith("dc3: Kafka at broker.invalid:9092: ")
        .hasMessageEndingWith(
            "; if dc3 is gone as well: `cellmesh dc lost dc3 --yes`, and then this again");
  }
}
