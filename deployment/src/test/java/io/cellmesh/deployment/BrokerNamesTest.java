package io.cellmesh.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class BrokerNamesTest {
  @Test
  void oneThatCanBeResolvedIsEnough() {
    assertThat(BrokerNames.areUnknown("brokers.invalid:9092")).isTrue();
    assertThat(BrokerNames.areUnknown("a.invalid:9092, SASL_SSL://b.invalid:9093,")).isTrue();
    assertThat(BrokerNames.areUnknown("brokers.invalid:9092,localhost:9092")).isFalse();
    assertThat(BrokerNames.areUnknown("PLAINTEXT://127.0.0.1:9092")).isFalse();
    assertThat(BrokerNames.areUnknown("[::1]:9092")).isFalse();
  }

  /** Waiting would not mend it. */
  @Test
  void whatIsNoAddressIsLeftToKafka() {
    assertThat(BrokerNames.areUnknown("brokers.invalid")).isFalse();
  }

  @Test
  void aClientThatIsNotMadeForWantOfANameIsToldFromOneWithWrongSettings() {
    var nameless = KafkaAccess.plain("brokers.invalid:9092");
    var wrong =
        new KafkaAccess(
            "127.0.0.1:1",
            Map.of("security.protocol", "SSL", "ssl.truststore.location", "/nowhere/ca.p12"));

    assertThat(catchThrowable(() -> Admin.create(nameless.client())))
        .isInstanceOf(KafkaException.class)
        .matches(BrokerNames::wereUnknown);
    assertThat(catchThrowable(() -> Admin.create(wrong.client())))
        .isInstanceOf(KafkaException.class)
        .matches(failure -> !BrokerNames.wereUnknown(failure));
  }
}
