package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.junit.jupiter.api.Test;

class CellSourceConnectorTest {

  @Test
  void one_task_gets_the_settings_as_they_are() {
    var connector = new CellSourceConnector();
    connector.initialize(new FakeConnectorContext());
    connector.start(Samples.settings());

    assertThat(connector.taskConfigs(8)).containsExactly(Samples.settings());
    assertThat(connector.taskClass()).isEqualTo(CellSourceTask.class);
    connector.stop();
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

  @Test
  void connect_may_count_on_each_cell_once() {
    assertThat(new CellSourceConnector().exactlyOnceSupport(Samples.settings()))
        .isEqualTo(ExactlyOnceSupport.SUPPORTED);
  }

  @Test
  void offsets_that_the_task_can_start_from_are_accepted() {
    assertThat(alter(Map.of("gtids", "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5"))).isTrue();
    assertThat(alter(Map.of("rebuild", "0-31"))).isTrue();
    assertThat(alter(null)).isTrue();
  }

  @Test
  void other_offsets_are_refused_with_the_rule() {
    assertThatThrownBy(() -> alter(Map.of("file", "binlog.000001")))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("unknown field \"file\"");
    assertThatThrownBy(
            () ->
                new CellSourceConnector()
                    .alterOffsets(
                        Samples.settings(),
                        Map.of(Map.of("server", "other"), Map.of("rebuild", "0-31"))))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("trips.dc1.c1");
  }

  private static boolean alter(Map<String, ?> offset) {
    var offsets = new HashMap<Map<String, ?>, Map<String, ?>>();
    offsets.put(Map.of("server", "trips.dc1.c1"), offset);
    return new CellSourceConnector().alterOffsets(Samples.settings(), offsets);
  }
}
