package io.cellmesh.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.bench.CapacityFigures.Line;
import io.cellmesh.bench.CapacityFigures.Round;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CapacityFiguresTest {
  private static final Line CLOSE = new Line("threads", "threads", 100, 124);
  private static final Line FAR = new Line("files", "open files", 100, 126);

  @Test
  void aPredictionWithinAQuarterIsClose() {
    assertThat(CLOSE.close()).isTrue();
    assertThat(FAR.close()).isFalse();
    assertThat(new Line("x", "x", 100, 76).close()).isTrue();
    assertThat(new Line("x", "x", 100, 74).close()).isFalse();
    assertThat(new Line("x", "x", 0, 0).close()).isTrue();
    assertThat(new Line("x", "x", 0, 1).close()).isFalse();
  }

  @Test
  void theDocumentHasWhatWasMeasuredBesideThePrediction() {
    var round = new Round(4, 1, 64, 2, 500, 8.5, 3, List.of(CLOSE, FAR));
    var document = new CapacityFigures("a machine", List.of(round)).document();

    assertThat(document).containsEntry("close", 1L).containsEntry("all", 2L);
    assertThat((List<?>) document.get("rounds"))
        .first()
        .satisfies(
            one -> {
              assertThat(((Map<?, ?>) one).get("threads")).isEqualTo(100.0);
              assertThat(((Map<?, ?>) one).get("threads_predicted")).isEqualTo(124.0);
            });
  }

  @Test
  void countersAreTakenAsDifferencesAndSummedOverServers() {
    var before = new ServerCounters(Map.of("Questions", 10L), 5, 100, 1);
    var after = new ServerCounters(Map.of("Questions", 25L), 9, 300, 1.5);

    var both = after.since(before).plus(after.since(before));

    assertThat(both.get("Questions")).isEqualTo(30);
    assertThat(both.transactions()).isEqualTo(8);
    assertThat(both.binlogBytes()).isEqualTo(400);
    assertThat(both.cpu()).isEqualTo(1);
  }

  @Test
  void aPlanThatCanNotBeRunNamesTheOption() {
    assertThatThrownBy(() -> plan(List.of(1), 64)).hasMessageContaining("--clusters");
    assertThatThrownBy(() -> plan(List.of(2), 60)).hasMessageContaining("--shards");
    assertThat(plan(List.of(2, 4), 64).clusters()).containsExactly(2, 4);
  }

  private static CapacityPlan plan(List<Integer> clusters, int shards) {
    return new CapacityPlan(clusters, 1, shards, 2, List.of(50), 60);
  }
}
