package io.cellmesh.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.devstack.shipped.PagePart;
import io.cellmesh.health.AppMetric;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WorkerMetricTest {
  @Test
  void the_page_lists_every_metric() throws Exception {
    var page = Path.of(System.getProperty("cellmesh.home"), "docs/worker.md");

    assertThat(page)
        .hasContent(
            PagePart.expected(
                page, "metrics", "WorkerMetric", AppMetric.markdown(WorkerMetric.values())));
  }
}
