package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class LazyAdminTest {
  /** None could be made of these. */
  private final Map<String, Object> settings = Map.of();

  @Test
  void who_asks_it_nothing_has_no_client() {
    var admin = LazyAdmin.of(settings);
    assertThat(admin.metrics()).isEmpty();
    admin.registerMetricForSubscription(null);
    admin.unregisterMetricFromSubscription(null);
    admin.close();
    admin.close(Duration.ZERO);
  }

  @Test
  void who_asks_gets_what_a_client_says() {
    var admin = LazyAdmin.of(settings);
    assertThatThrownBy(admin::listTopics)
        .isInstanceOf(KafkaException.class)
        .hasRootCauseInstanceOf(ConfigException.class);
  }
}
