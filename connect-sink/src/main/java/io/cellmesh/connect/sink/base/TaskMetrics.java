package io.cellmesh.connect.sink.base;

import java.util.LinkedHashMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MeasurableStat;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.Avg;
import org.apache.kafka.common.metrics.stats.CumulativeSum;
import org.apache.kafka.common.metrics.stats.Max;
import org.apache.kafka.common.metrics.stats.Meter;
import org.apache.kafka.common.metrics.stats.Percentile;
import org.apache.kafka.common.metrics.stats.Percentiles;
import org.apache.kafka.common.metrics.stats.Percentiles.BucketSizing;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the metrics of one task. One that can't be registered is logged and left out: it must
 * not stop a task, and what is told it goes nowhere. What the methods return is thread-safe.
 *
 * <p>The last argument of each is the value of the metric's tag; empty if it has none.
 */
public final class TaskMetrics implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskMetrics.class);

  /** Times are told to about a percent of themselves up to here, in milliseconds. */
  private static final double LONGEST = 120_000;

  private static final int HISTOGRAM_BYTES = 8000;

  private final MetricsHome home;

  /** Two tasks in one worker share what has one name. */
  private final String unique = "cellmesh-" + UUID.randomUUID() + "-";

  public TaskMetrics(MetricsHome home) {
    this.home = home;
  }

  /** Counts, by the second and in all. */
  public Sensor meter(TaskMetric rate, TaskMetric total, String of) {
    var sensor = sensor(total, of);
    register(() -> sensor.add(new Meter(name(rate, of), name(total, of))));
    return sensor;
  }

  /** Sums up. */
  public Sensor total(TaskMetric total, String of) {
    var sensor = sensor(total, of);
    add(sensor, total, of, new CumulativeSum());
    return sensor;
  }

  /** Tells the mean and the largest of sizes. */
  public Sensor sizes(TaskMetric mean, TaskMetric largest, String of) {
    var sensor = sensor(mean, of);
    add(sensor, mean, of, new Avg());
    add(sensor, largest, of, new Max());
    return sensor;
  }

  /** Tells median, 99th percentile and the longest of times in milliseconds. */
  public Sensor times(TaskMetric median, TaskMetric tail, TaskMetric longest, String of) {
    var sensor = sensor(median, of);
    register(
        () ->
            sensor.add(
                new Percentiles(
                    HISTOGRAM_BYTES,
                    LONGEST,
                    BucketSizing.LINEAR,
                    new Percentile(name(median, of), 50),
                    new Percentile(name(tail, of), 99))));
    add(sensor, longest, of, new Max());
    return sensor;
  }

  /** Tells one more thing of what a sensor is told. */
  public void add(Sensor sensor, TaskMetric metric, String of, MeasurableStat stat) {
    register(() -> sensor.add(name(metric, of), stat));
  }

  /** Shows a number, 0 at first. */
  public AtomicLong gauge(TaskMetric metric, String of) {
    var value = new AtomicLong();
    gauge(metric, of, value::get);
    return value;
  }

  /** Shows for how many seconds something has been so, 0 while it is not. */
  public Since since(TaskMetric metric, String of) {
    var since = new Since();
    gauge(metric, of, since::seconds);
    return since;
  }

  /** Shows a number that is asked for. */
  public void gauge(TaskMetric metric, String of, LongSupplier value) {
    register(() -> home.add(name(metric, of), (config, now) -> value.getAsLong()));
  }

  @Override
  public void close() {
    home.close();
  }

  /** Since when something is so. */
  public static final class Since {
    private static final long NOT = 0;

    private final AtomicLong begin = new AtomicLong(NOT);

    private Since() {}

    /** It is so, or is not; saying the same again changes nothing. */
    public void mark(boolean so) {
      if (so) {
        // Odd, so that it never is the value for nothing.
        begin.compareAndSet(NOT, System.nanoTime() | 1);
      } else {
        begin.set(NOT);
      }
    }

    public boolean isSo() {
      return begin.get() != NOT;
    }

    private long seconds() {
      long then = begin.get();
      return then == NOT ? 0 : (System.nanoTime() - then) / 1_000_000_000L;
    }
  }

  private Sensor sensor(TaskMetric metric, String of) {
    return home.sensor(unique + metric.attribute() + '-' + of);
  }

  private MetricName name(TaskMetric metric, String of) {
    var tags = new LinkedHashMap<String, String>();
    if (!metric.tag().isEmpty()) {
      tags.put(metric.tag(), of);
    }
    return home.name(metric.attribute(), metric.description(), tags);
  }

  /** The metrics of a predecessor that does not end hold the names. */
  private static void register(Runnable registration) {
    try {
      registration.run();
    } catch (IllegalArgumentException | IllegalStateException e) {
      LOG.warn("a metric is left out: {}", e.getMessage());
    }
  }
}
