package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;

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
}
