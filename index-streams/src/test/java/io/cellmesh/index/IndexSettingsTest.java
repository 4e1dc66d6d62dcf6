package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

class IndexSettingsTest {
  @Test
  void streamsAcceptsTheSettings() {
    var settings = new IndexSettings("localhost:1", Path.of("state"), 2, 1, 3).properties("id");
    var config = new StreamsConfig(settings);
    assertThat(config.getMainConsumerConfigs("group", "client", 0))
        .containsEntry("auto.offset.reset", "none")
        .containsEntry("session.timeout.ms", 10_000)
        .containsEntry("num.standby.replicas", 1);
    assertThat(config.getProducerConfigs("client"))
        .containsEntry("linger.ms", 20)
        .containsEntry("delivery.timeout.ms", Integer.MAX_VALUE);
  }
}
