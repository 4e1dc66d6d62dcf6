package io.cellmesh.e2e.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboards are as they are written here, ask for metrics that there are, and show each of
 * them. Run with {@code -Dcellmesh.docs.write=true} to bring the files up to date.
 */
class DashboardsTest {
  @TempDir private Path dir;

  @Test
  void the_files_are_those_of_the_code() throws IOException {
    var shown = ShownMetrics.all();
    for (var dashboard : Dashboards.all()) {
      var json = dashboard.json(shown);
      if (Boolean.getBoolean("cellmesh.docs.write")) {
        Files.writeString(dashboard.file(), json);
      }
      assertThat(dashboard.file()).hasContent(json);
    }
    try (var files = Files.list(ShownMetrics.MONITORING.resolve("grafana"))) {
      assertThat(files).hasSameSizeAs(Dashboards.all());
    }
  }

  @Test
  void each_expression_names_only_metrics_and_labels_that_are_shown() throws IOException {
    var shown = ShownMetrics.all();
    for (var dashboard : Dashboards.all()) {
      dashboard.expressions().forEach(expression -> Expression.of(expression).check(shown));
    }
  }

  /** But for figures by the second, which Prometheus tells from the totals. */
  @Test
  void each_metric_is_on_one() throws IOException {
    var missing = new TreeSet<>(ShownMetrics.all().names());
    missing.removeIf(metric -> metric.endsWith("_per_second"));
    for (var dashboard : Dashboards.all()) {
      dashboard
          .expressions()
          .forEach(expression -> missing.removeAll(Expression.of(expression).metrics()));
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void prometheus_takes_each_expression() throws Exception {
    var rules =
        Dashboards.all().stream()
            .flatMap(Dashboard::expressions)
            .distinct()
            .map(
                expression ->
                    Map.of("record", "r:" + Math.abs(expression.hashCode()), "expr", expression))
            .toList();
    var file = dir.resolve("rules.yaml");
    new ObjectMapper(new YAMLFactory())
        .writeValue(
            file.toFile(), Map.of("groups", List.of(Map.of("name", "dashboards", "rules", rules))));
    Promtool.run("check", "rules", file.toString());
  }
}
