package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.cellmesh.connect.sink.SinkMetric.Hop;
import io.cellmesh.connect.sink.SinkMetric.Outcome;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.base.TaskMetric;
import io.cellmesh.devstack.shipped.PagePart;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a person sees through JMX, from a registry like a worker's. */
class SinkMetricsTest {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));
  private static final String TASK = "kafka.connect:type=plugins,connector=trips-sink,task=0";

  private Metrics worker;
  private SinkMetrics metrics;

  @BeforeEach
  void start() {
    worker =
        new Metrics(
            new MetricConfig(),
            List.of(new JmxReporter()),
            Time.SYSTEM,
            new KafkaMetricsContext("kafka.connect"));
    metrics = task("0");
  }

  @AfterEach
  void stop() {
    metrics.close();
    worker.close();
  }

  @Test
  void cells_are_counted_by_what_became_of_them() throws JMException {
    metrics.outcome(Outcome.STORED, 600);
    metrics.outcome(Outcome.STORED, 600);
    metrics.outcome(Outcome.REJECTED, 1);

    assertThat(read(",outcome=stored", "cells-total")).isEqualTo(1200);
    assertThat(read(",outcome=stored", "cells-per-second")).isPositive();
    assertThat(read(",outcome=rejected", "cells-total")).isEqualTo(1);
    assertThat(read(",outcome=conflict", "cells-total")).isZero();
  }

  @Test
  void conflicts_are_counted_by_where_their_records_come_from() throws JMException {
    metrics.conflict("dc1", "dc1");
    metrics.conflict("dc1", "dc2");
    metrics.conflict("dc2", "dc1");
    metrics.conflict("dc2", "dc2");

    assertThat(read(",kind=own", "conflicts-total")).isEqualTo(1);
    assertThat(read(",kind=mesh", "conflicts-total")).isEqualTo(3);
  }

  @Test
  void a_hop_tells_its_median_its_tail_and_its_sum() throws JMException {
    for (int i = 1; i <= 100; i++) {
      metrics.hop(Hop.CATCH_UP, TimeUnit.MILLISECONDS.toNanos(i));
    }

    assertThat(read(",hop=catch-up", "time-ms-p50")).isCloseTo(50, within(2.0));
    assertThat(read(",hop=catch-up", "time-ms-p99")).isCloseTo(99, within(2.0));
    assertThat(read(",hop=catch-up", "time-ms-max")).isEqualTo(100);
    assertThat(read(",hop=catch-up", "time-ms-total")).isEqualTo(5050);
  }

  @Test
  void batches_tell_their_size() throws JMException {
    metrics.batch(100, 10_000);
    metrics.batch(300, 50_000);

    assertThat(read("", "batch-cells-avg")).isEqualTo(200);
    assertThat(read("", "batch-bytes-max")).isEqualTo(50_000);
  }

  @Test
  void a_server_and_what_waits_for_it_are_told_by_name() throws JMException {
    metrics.breaker("db1:3306", true);
    metrics.breaker("a server of no topology", true);
    metrics.waiting("c1", 812, 34_999);
    metrics.buffered("c2", 900, 61_000);
    metrics.gaps("c1", 2);
    metrics.rewound();

    assertThat(read(",server=\"db1:3306\"", "breaker-open")).isEqualTo(1);
    assertThat(read(",server=\"db2:3306\"", "breaker-open")).isZero();
    assertThat(read(",primary=c1", "waiting-cells")).isEqualTo(812);
    assertThat(read(",primary=c1", "waiting-oldest-seconds")).isEqualTo(34);
    assertThat(read(",primary=c2", "waiting-cells")).isZero();
    assertThat(read(",primary=c1", "lanes-with-gap")).isEqualTo(2);
    assertThat(read(",secondary=c2", "buffered-oldest-seconds")).isEqualTo(61);
    assertThat(read("", "rewinds-total")).isEqualTo(1);
    metrics.commitFailed();
    assertThat(read("", "failed-commits-total")).isEqualTo(1);

    metrics.breaker("db1:3306", false);
    assertThat(read(",server=\"db1:3306\"", "breaker-open")).isZero();
    assertThat(read(",server=\"db1:3306\"", "down-seconds")).isZero();
  }

  @Test
  void how_long_nothing_is_secured_counts_from_the_first_failure() throws JMException {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              metrics.secured(false);
              return read("", "unsecured-seconds") >= 1;
            });
    metrics.secured(true);
    assertThat(read("", "unsecured-seconds")).isZero();
  }

  @Test
  void two_tasks_of_one_worker_do_not_count_together() throws JMException {
    var other = task("1");
    other.outcome(Outcome.STORED, 5);

    assertThat(read(",outcome=stored", "cells-total")).isZero();
    var object = TASK.replace("task=0", "task=1") + ",outcome=stored";
    assertThat(attribute(object, "cells-total")).isEqualTo(5);
  }

  @Test
  void a_task_whose_predecessor_still_holds_the_names_works_without_them() {
    var successor = task("0");
    successor.outcome(Outcome.STORED, 5);
    successor.breaker("db1:3306", true);
  }

  @Test
  void a_worker_without_metrics_for_plugins_is_served_too() {
    try (var unseen = new SinkMetrics(MetricsHome.nowhere(), TwoClusters.TOPOLOGY)) {
      unseen.outcome(Outcome.STORED, 5);
      unseen.hop(Hop.PUT, 1);
      unseen.waiting("c1", 1, 1);
    }
  }

  @Test
  void every_metric_of_the_table_is_there_from_the_start() {
    var names = worker.metrics().keySet().stream().map(name -> name.name()).toList();
    for (var metric : SinkMetric.values()) {
      assertThat(names).contains(metric.attribute());
    }
  }

  @Test
  void docs_connectors_cell_sink_md_lists_the_metrics_as_they_are() throws IOException {
    var page = HOME.resolve("docs/connectors/cell-sink.md");
    assertThat(page)
        .hasContent(
            PagePart.expected(
                page, "metrics", "SinkMetric", TaskMetric.markdown(SinkMetric.values())));
  }

  private SinkMetrics task(String number) {
    var tags = new LinkedHashMap<String, String>();
    tags.put("connector", "trips-sink");
    tags.put("task", number);
    var home = MetricsHome.worker(new PluginMetricsImpl(worker, tags));
    return new SinkMetrics(home, TwoClusters.TOPOLOGY);
  }

  private static double read(String tags, String attribute) throws JMException {
    return attribute(TASK + tags, attribute);
  }

  private static double attribute(String object, String attribute) throws JMException {
    var server = ManagementFactory.getPlatformMBeanServer();
    return ((Number) server.getAttribute(new ObjectName(object), attribute)).doubleValue();
  }
}
