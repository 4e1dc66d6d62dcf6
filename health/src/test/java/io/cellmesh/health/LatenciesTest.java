package io.cellmesh.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.health.AppMetric.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  private static final AppMetric METRIC =
      () -> new AppMetric.Description("took_seconds", Kind.HISTOGRAM, "It took.", List.of("what"));

  @Test
  void each_is_counted_under_the_lowest_bound_that_it_does_not_exceed_and_all_above_it() {
    var latencies = new Latencies();
    latencies.took(0.0005);
    latencies.took(0.00051);
    latencies.took(99);

    assertThat(new MetricPage().add(METRIC, latencies, "a").text())
        .contains("# TYPE took_seconds histogram\n")
        .contains("took_seconds_bucket{what=\"a\",le=\"5.0E-4\"} 1\n")
        .contains("took_seconds_bucket{what=\"a\",le=\"0.001\"} 2\n")
        .contains("took_seconds_bucket{what=\"a\",le=\"10.0\"} 2\n")
        .contains("took_seconds_bucket{what=\"a\",le=\"+Inf\"} 3\n")
        .contains("took_seconds_count{what=\"a\"} 3\n")
        .contains("took_seconds_sum{what=\"a\"} 99.00101\n");
  }
}
