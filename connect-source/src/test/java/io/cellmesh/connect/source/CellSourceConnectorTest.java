package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MetricValueProvider;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.junit.jupiter.api.Test;

class CellSourceConnectorTest {

  @Test
  void one_task_gets_the_settings_as_they_are() {
    var connector = new CellSourceConnector();
    connector.initialize(new FakeConnectorContext(null));
    connector.start(Samples.settings());

    assertThat(connector.taskConfigs(8)).containsExactly(Samples.settings());
    assertThat(connector.taskClass()).isEqualTo(CellSourceTask.class);
    connector.stop();
  }

  @Test
  void what_it_shows_after_it_was_stopped_and_resumed_is_of_the_task_that_there_is_then() {
    try (var worker = new Metrics()) {
      var refused = new ArrayList<String>();
      var plugin =
          new PluginMetricsImpl(worker, Map.of()) {
            @Override
            public void addMetric(MetricName metric, MetricValueProvider<?> value) {
              try {
                super.addMetric(metric, value);
              } catch (IllegalArgumentException e) {
                refused.add(metric.name());
                throw e;
              }
            }
          };
      var connector = new CellSourceConnector();
      connector.initialize(new FakeConnectorContext(plugin));
      connector.start(Samples.settings());
      connector.stop();
      connector.start(Samples.settings());
      connector.stop();

      assertThat(refused).as("a metric that is refused shows what was before").isEmpty();
      assertThat(worker.metrics().keySet())
          .extracting(MetricName::name)
          .contains("task-alive", "task-waits-for", "task-restarts-total");
    }
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
