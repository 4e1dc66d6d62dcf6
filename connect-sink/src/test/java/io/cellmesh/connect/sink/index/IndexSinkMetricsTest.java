package io.cellmesh.connect.sink.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.connect.sink.TwoClusters;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.index.EntryDecoder.Placed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IndexSinkMetricsTest {
  private final Metrics worker = new Metrics();
  private final IndexSinkMetrics metrics =
      new IndexSinkMetrics(
          MetricsHome.worker(new PluginMetricsImpl(worker, new LinkedHashMap<>())),
          TwoClusters.TOPOLOGY);

  @AfterEach
  void stop() {
    worker.close();
  }

  @Test
  void a_batch_tells_its_entries_its_time_and_its_age_by_cluster() {
    var batch = new EntryBatch();
    var progress = new PartitionProgress(List.of("c1", "c2"), 0);
    var span = progress.read(0, 2);
    long now = System.currentTimeMillis();
    for (long timestamp : new long[] {now - 5000, now - 100}) {
      batch.add(progress, span, new Placed("c1", 0, 0, entry()), record(timestamp));
    }
    metrics.written("c1", batch, TimeUnit.MILLISECONDS.toNanos(7));
    double took = System.currentTimeMillis() - now;

    assertThat(read("entries-total", "c1")).isEqualTo(2);
    assertThat(read("entries-total", "c2")).isZero();
    assertThat(read("batch-entries-max", "c1")).isEqualTo(2);
    assertThat(read("write-ms-max", "c1")).isEqualTo(7);
    assertThat(read("age-ms-max", "c1")).isBetween(5000.0, 5000.0 + took);
  }

  private static SinkRecord record(long timestamp) {
    return new SinkRecord(
        "trips.index.by_driver",
        0,
        null,
        null,
        null,
        null,
        0,
        timestamp,
        TimestampType.CREATE_TIME);
  }

  @Test
  void what_waits_is_told_until_nothing_does() {
    metrics.waiting("c2", 812);
    assertThat(read("waiting-offsets", "c2")).isEqualTo(812);
    assertThat(read("waiting-offsets", "c1")).isZero();
    metrics.waiting("c2", 0);
    assertThat(read("waiting-offsets", "c2")).isZero();
    assertThat(read("waiting-seconds", "c2")).isZero();
  }

  @Test
  void every_metric_of_the_table_is_there_from_the_start() {
    var names = worker.metrics().keySet().stream().map(name -> name.name()).toList();
    for (var metric : IndexSinkMetric.values()) {
      assertThat(names).contains(metric.attribute());
    }
  }

  private static IndexEntry entry() {
    return new IndexEntry(new UUID(0, 1), List.of(1L), List.of("ann"), false);
  }

  private double read(String attribute, String cluster) {
    return worker.metrics().entrySet().stream()
        .filter(e -> e.getKey().name().equals(attribute))
        .filter(e -> e.getKey().tags().equals(Map.of("cluster", cluster)))
        .mapToDouble(e -> ((Number) e.getValue().metricValue()).doubleValue())
        .findFirst()
        .orElseThrow();
  }
}
