package io.cellmesh.connect.sink.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.connect.sink.base.ExportedMetrics;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.index.EntryDecoder.Placed;
import io.cellmesh.devstack.shipped.JmxRules;
import io.cellmesh.devstack.shipped.PagePart;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

/** The Prometheus JMX exporter shows all that an index sink's task says. */
class IndexSinkRulesTest {
  private static final String PREFIX = "cellmesh_index_sink";

  @Test
  void monitoring_jmx_exporter_yaml_has_a_rule_for_each_metric() throws IOException {
    var rules = JmxRules.ofTask(PREFIX);
    for (var metric : IndexSinkMetric.values()) {
      rules.number(metric.attribute(), metric.tag(), metric.meaning());
    }
    assertThat(ExportedMetrics.RULES)
        .hasContent(
            PagePart.expected(
                ExportedMetrics.RULES, "index-sink", "IndexSinkMetric", rules.toString()));
  }

  @Test
  void the_exporter_shows_them_as_they_are() throws Exception {
    var tags = new LinkedHashMap<String, String>();
    tags.put("connector", "trips-index-sink-p1");
    tags.put("task", "0");
    try (var worker = ExportedMetrics.worker();
        var metrics =
            new IndexSinkMetrics(
                MetricsHome.worker(new PluginMetricsImpl(worker, tags)),
                TopologyYaml.parse(
                    """
                    instance: trips
                    shards: 64
                    partitions: 16
                    datacenter: dc1
                    clusters:
                      - {name: c1, shards: 0-63, epoch: 1, master: {url: "mysql://db1"}}
                    """))) {
      metrics.written("c1", batch(), 7_000_000);
      metrics.waiting("c1", 812);

      var exported = ExportedMetrics.scrape();
      for (var metric : IndexSinkMetric.values()) {
        exported.assertShows(PREFIX, metric);
      }
      assertThat(exported.value(PREFIX, IndexSinkMetric.WRITE_MAX, "c1")).isEqualTo(0.007);
      assertThat(exported.value(PREFIX, IndexSinkMetric.WAITING_OFFSETS, "c1")).isEqualTo(812);
    }
  }

  private static EntryBatch batch() {
    var batch = new EntryBatch();
    var progress = new PartitionProgress(List.of("c1"), 0);
    var entry = new IndexEntry(new UUID(0, 1), List.of(1L), List.of("ann"), false);
    var record =
        new SinkRecord(
            "trips.index.by_driver",
            0,
            null,
            null,
            null,
            null,
            0,
            System.currentTimeMillis(),
            TimestampType.CREATE_TIME);
    batch.add(progress, progress.read(0, 1), new Placed("c1", 0, 0, entry), record);
    return batch;
  }
}
