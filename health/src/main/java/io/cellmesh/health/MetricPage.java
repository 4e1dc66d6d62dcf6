package io.cellmesh.health;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures of an application at a moment, in Prometheus's text format. */
public final class MetricPage {
  private static final PrometheusTextFormatWriter WRITER = PrometheusTextFormatWriter.create();
  private static final String TOTAL = "_total";

  private final Map<AppMetric, List<Sample>> samples = new LinkedHashMap<>();

  private final Map<AppMetric, List<Distribution>> distributions = new LinkedHashMap<>();

  private record Sample(Labels labels, double value) {}

  private record Distribution(Labels labels, Latencies latencies) {}

  /**
   * Adds a figure.
   *
   * @param labels the values of the metric's labels, in their order
   */
  public MetricPage add(AppMetric metric, double value, String... labels) {
    var named = Labels.of(metric.labels().toArray(String[]::new), labels);
    samples.computeIfAbsent(metric, m -> new ArrayList<>()).add(new Sample(named, value));
    return this;
  }

  /**
   * Adds how long something took, of a metric that is a histogram.
   *
   * @param labels the values of the metric's labels, in their order
   */
  public MetricPage add(AppMetric metric, Latencies latencies, String... labels) {
    var named = Labels.of(metric.labels().toArray(String[]::new), labels);
    distributions
        .computeIfAbsent(metric, m -> new ArrayList<>())
        .add(new Distribution(named, latencies));
    return this;
  }

  /** The header that goes with {@link #text}. */
  public static String contentType() {
    return WRITER.getContentType();
  }

  /** Writes each metric that has a figure, with its HELP and TYPE. */
  public String text() {
    var page = MetricSnapshots.builder();
    samples.forEach((metric, of) -> page.metricSnapshot(snapshot(metric, of)));
    distributions.forEach((metric, of) -> page.metricSnapshot(histogram(metric, of)));
    var bytes = new ByteArrayOutputStream();
    try {
      WRITER.write(bytes, page.build());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static MetricSnapshot snapshot(AppMetric metric, List<Sample> samples) {
    return switch (metric.kind()) {
      case GAUGE -> gauge(metric, samples);
      case COUNTER -> counter(metric, samples);
      case HISTOGRAM ->
          throw new IllegalArgumentException(metric.metric() + " is a histogram, and no figure");
    };
  }

  private static MetricSnapshot histogram(AppMetric metric, List<Distribution> distributions) {
    var histogram = HistogramSnapshot.builder().name(metric.metric()).help(metric.meaning());
    for (var one : distributions) {
      histogram.dataPoint(
          HistogramDataPointSnapshot.builder()
              .labels(one.labels)
              .classicHistogramBuckets(
                  ClassicHistogramBuckets.of(Latencies.bounds(), one.latencies.counts()))
              .sum(one.latencies.sum())
              .build());
    }
    return histogram.build();
  }

  private static MetricSnapshot gauge(AppMetric metric, List<Sample> samples) {
    var gauge = GaugeSnapshot.builder().name(metric.metric()).help(metric.meaning());
    for (var sample : samples) {
      gauge.dataPoint(
          GaugeDataPointSnapshot.builder().labels(sample.labels).value(sample.value).build());
    }
    return gauge.build();
  }

  /** The library puts the end of a counter's name there itself. */
  private static MetricSnapshot counter(AppMetric metric, List<Sample> samples) {
    var name = metric.metric().substring(0, metric.metric().length() - TOTAL.length());
    var counter = CounterSnapshot.builder().name(name).help(metric.meaning());
    for (var sample : samples) {
      counter.dataPoint(
          CounterDataPointSnapshot.builder().labels(sample.labels).value(sample.value).build());
    }
    return counter.build();
  }
}
