package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.deployment.KafkaAccess;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

class IndexSettingsTest {
  @Test
  void streamsAcceptsTheSettings() {
    var kafka =
        new KafkaAccess(
            "localhost:1", Map.of("security.protocol", "SASL_SSL", "enable.idempotence", "false"));
    var settings = new IndexSettings(kafka, Path.of("state"), 2, 1, 3).properties("id");
    var config = new StreamsConfig(settings);
    assertThat(config.getMainConsumerConfigs("group", "client", 0))
        .containsEntry("auto.offset.reset", "none")
        .containsEntry("session.timeout.ms", 10_000)
        .containsEntry("num.standby.replicas", 1)
        .containsEntry("security.protocol", "SASL_SSL");
    assertThat(config.getRestoreConsumerConfigs("client"))
        .containsEntry("security.protocol", "SASL_SSL");
    assertThat(config.getAdminConfigs("client")).containsEntry("security.protocol", "SASL_SSL");
    assertThat(config.getProducerConfigs("client"))
        .containsEntry("security.protocol", "SASL_SSL")
        .containsEntry("enable.idempotence", true)
        .containsEntry("linger.ms", 20)
        .containsEntry("delivery.timeout.ms", Integer.MAX_VALUE);
  }
}
