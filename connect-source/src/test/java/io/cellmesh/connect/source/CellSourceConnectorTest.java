package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ServiceLoader;
import org.apache.kafka.connect.source.SourceConnector;
import org.junit.jupiter.api.Test;

class CellSourceConnectorTest {

  @Test
  void one_task_gets_the_settings_as_they_are() {
    var connector = new CellSourceConnector();
    connector.start(Samples.settings());

    assertThat(connector.taskConfigs(8)).containsExactly(Samples.settings());
    assertThat(connector.taskClass()).isEqualTo(CellSourceTask.class);
  }

  @Test
  void the_version_is_the_builds() {
    assertThat(new CellSourceConnector().version()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(new CellSourceTask().version()).isEqualTo(new CellSourceConnector().version());
  }

  @Test
  void it_is_found_as_a_service() {
    assertThat(ServiceLoader.load(SourceConnector.class))
        .extracting(SourceConnector::getClass)
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .contains(CellSourceConnector.class);
  }
}
