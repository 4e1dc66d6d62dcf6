package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.proof.Difference;
import io.cellmesh.cell.proof.Difference.Kind;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.OriginShard;
import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.devstack.shipped.PagePart;
import io.cellmesh.health.AppMetric;
import io.cellmesh.herb.LinkHealth.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProofReportTest {
  private static final OriginShard CELLS = new OriginShard("dc2", 1, 42);
  private static final Verdict VERDICT =
      new Verdict(
          90,
          80,
          3,
          OptionalLong.of(1),
          2,
          new TreeMap<>(Map.of(42, 16L)),
          List.of(new Difference(Kind.MISSING, FoldSource.MESH, CELLS, 17, 17, 1)),
          List.of(new Difference(Kind.ABSENT, FoldSource.LOG, CELLS, 30, 40, 5)),
          OptionalLong.of(4_000),
          OptionalLong.of(3_000));

  private final HealthReport report = report(Optional.of(VERDICT));

  @Test
  void what_differs_is_told_in_words_and_makes_no_link_worse() {
    assertThat(report.isGood()).isTrue();
    assertThat(report.toJson())
        .startsWith("{\"status\":\"ok\",\"links\":{},\"proof\":{")
        .contains(
            "\"mesh\":{\"state\":\"WAITING\",\"why\":\"no topic\",\"restarts\":1,\"behind\":5,\"folded\":6,\"damaged\":7,\"cut\":8}",
            "\"dc2\":{\"state\":\"RUNNING\",\"restarts\":0,\"agreed\":90,\"held\":80,\"waiting\":3,\"absent\":5,\"repeats\":2,"
                + "\"differences\":[\"dc2 missing in the mesh, shard 42, origin_id 17 (1 cell)\"]}");
  }

  @Test
  void every_metric_of_the_table_is_there() {
    var text = report.metrics().text();
    for (var metric : ProofMetric.values()) {
      assertThat(text).contains("# HELP %s %s\n".formatted(metric.metric(), metric.meaning()));
    }
    assertThat(text)
        .contains(
            "cellmesh_mesh_differences{cellmesh_instance=\"trips\",in=\"mesh\",peer=\"dc2\"} 1.0\n",
            "cellmesh_mesh_differences{cellmesh_instance=\"trips\",in=\"log\",peer=\"dc2\"} 0.0\n",
            "cellmesh_mesh_absent_cells{cellmesh_instance=\"trips\",peer=\"dc2\"} 5.0\n",
            "cellmesh_mesh_proof_age_seconds{cellmesh_instance=\"trips\",peer=\"dc2\"} 7.0\n",
            "cellmesh_mesh_fold_up{cellmesh_instance=\"trips\",in=\"mesh\"} 0.0\n");
  }

  @Test
  void before_the_first_comparison_nothing_is_said_to_agree() {
    assertThat(report(Optional.empty()).metrics().text())
        .contains("cellmesh_mesh_proof_up{cellmesh_instance=\"trips\",peer=\"dc2\"} 1.0\n")
        .doesNotContain("differences", "agreed", "proof_age");
  }

  @Test
  void docs_mesh_md_lists_the_metrics_as_they_are() throws IOException {
    var page = Path.of(System.getProperty("cellmesh.home"), "docs/mesh.md");
    assertThat(page)
        .hasContent(
            PagePart.expected(
                page, "proof metrics", "ProofMetric", AppMetric.markdown(ProofMetric.values())));
  }

  private static HealthReport report(Optional<Verdict> verdict) {
    var proof =
        new ProofReport(
            List.of(
                new ProofReport.OfFold(
                    FoldSource.MESH,
                    new ProofState(State.WAITING, "no topic", 1),
                    new FoldFigures.Counts(5, 6, 7, 8))),
            List.of(new ProofReport.OfPeer("dc2", new ProofState(State.RUNNING, "", 0), verdict)),
            10_000);
    return new HealthReport("trips", "", Map.of(), Optional.of(proof));
  }
}
