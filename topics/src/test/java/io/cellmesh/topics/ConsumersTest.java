package io.cellmesh.topics;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.deployment.KafkaAccess;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class ConsumersTest {
  private static final KafkaAccess NOWHERE = KafkaAccess.plain("brokers.invalid:9092");

  @Test
  void why_no_client_can_be_made_is_said_and_of_which_brokers() {
    var why = "brokers.invalid:9092 can't be asked: No resolvable bootstrap urls";

    assertThatThrownBy(() -> Consumers.open(NOWHERE))
        .isInstanceOf(KafkaException.class)
        .hasMessageStartingWith(why);
    assertThatThrownBy(() -> Consumers.admin(NOWHERE))
        .isInstanceOf(KafkaException.class)
        .hasMessageStartingWith(why);
  }
}
