package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cellmesh.connect.sink.SinkMetric.Hop;
import io.cellmesh.connect.sink.SinkMetric.Outcome;
import io.cellmesh.connect.sink.base.ExportedMetrics;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.devstack.shipped.JmxRules;
import io.cellmesh.devstack.shipped.PagePart;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.junit.jupiter.api.Test;

/** The Prometheus JMX exporter shows all that a sink task says. */
class SinkRulesTest {
  private static final String PREFIX = "cellmesh_sink";

  @Test
  void monitoring_jmx_exporter_yaml_has_a_rule_for_each_metric() throws IOException {
    var rules = JmxRules.ofTask(PREFIX);
    for (var metric : SinkMetric.values()) {
      rules.number(metric.attribute(), metric.tag(), metric.meaning());
    }
    assertThat(ExportedMetrics.RULES)
        .hasContent(
            PagePart.expected(ExportedMetrics.RULES, "sink", "SinkMetric", rules.toString()));
  }

  @Test
  void the_exporter_shows_them_as_they_are() throws Exception {
    var tags = new LinkedHashMap<String, String>();
    tags.put("connector", "trips-sink");
    tags.put("task", "0");
    try (var worker = ExportedMetrics.worker();
        var metrics =
            new SinkMetrics(
                MetricsHome.worker(new PluginMetricsImpl(worker, tags)), TwoClusters.TOPOLOGY)) {
      metrics.outcome(Outcome.STORED, 600);
      metrics.batch(600, 10_000);
      for (var hop : Hop.values()) {
        metrics.hop(hop, TimeUnit.MILLISECONDS.toNanos(250));
      }
      metrics.breaker("db1:3306", true);

      var exported = ExportedMetrics.scrape();
      for (var metric : SinkMetric.values()) {
        exported.assertShows(PREFIX, metric);
      }
      assertThat(exported.value(PREFIX, SinkMetric.CELLS_TOTAL, "stored")).isEqualTo(600);
      assertThat(exported.value(PREFIX, SinkMetric.BREAKER_OPEN, "db1:3306")).isEqualTo(1);
      assertThat(exported.value(PREFIX, SinkMetric.TIME_P99, "commit"))
          .isEqualTo(0.25, within(.01));
    }
  }
}
