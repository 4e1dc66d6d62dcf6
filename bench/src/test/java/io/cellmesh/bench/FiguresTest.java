package io.cellmesh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.bench.SoakFigures.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FiguresTest {
  private static final Surroundings NOWHERE =
      new Surroundings(new Machine("none", 2, 1024, "none"), Map.of(), Map.of(), Map.of());

  @Test
  void the_result_begins_with_name_ours_peer_and_ratio() {
    var figures = figures(List.of(result(64, 30_000, 10_000, 20_000)), Optional.empty());

    assertThat(figures.document().keySet())
        .containsExactly("name", "ours", "peer", "ratio", "raw", "ratio_in_the_middle", "rounds");
    assertThat(figures.document())
        .containsEntry("name", "sink")
        .containsEntry("ours", 20_000L)
        .containsEntry("peer", 40_000L)
        .containsEntry("ratio", 0.5)
        .hasEntrySatisfying(
            "rounds",
            rounds ->
                assertThat((Map<?, ?>) rounds)
                    .extracting("ours", "peer", "raw")
                    .allSatisfy(ofOne -> assertThat((List<?>) ofOne).isNotEmpty()));
  }

  @Test
  void more_shards_are_told_in_terms_of_the_first_number_of_them() {
    var figures =
        figures(
            List.of(result(64, 20_000), result(1024, 15_000)),
            Optional.of(new LatencyFigures(1000, 30_000, 3.21, 9.876, 50, 1.2, round(1000))));

    assertThat(figures.document())
        .containsEntry("ours", 20_000L)
        .containsEntry("ours_1024", 15_000L)
        .containsEntry("ratio_1024", 0.75)
        .containsEntry("latency_p50_ms", 3.21)
        .containsEntry("latency_p99_ms", 9.876);
  }

  @Test
  void a_round_is_disturbed_when_others_took_a_tenth_of_the_processors() {
    assertThat(new Round(1, 1, 1, Map.of("worker", 8.0, "mysqld", 1.0), 0, 0.5, 0).disturbed())
        .isFalse();
    assertThat(new Round(1, 1, 1, Map.of("worker", 8.0, "mysqld", 1.0), 0, 1.5, 0).disturbed())
        .isTrue();
    assertThat(new Round(1, 1, 1, Map.of("worker", 8.0), 0, -1, 0).disturbed())
        .as("unknown")
        .isFalse();
  }

  @Test
  void memory_that_goes_up_and_down_is_flat() {
    assertThat(soak(99, 50, 54, 48, 52, 50, 53, 51, 49, 52).flat()).isTrue();
  }

  @Test
  void memory_that_grows_with_the_cells_is_not_flat() {
    var soak = soak(30, 50, 53, 56, 59, 62, 65, 68, 71, 74);

    assertThat(soak.flat()).isFalse();
    assertThat(soak.heapGrowth()).isGreaterThan(1.2);
    assertThat(soak.document()).containsEntry("flat", false).containsEntry("name", "sink-soak");
  }

  private static SinkFigures figures(List<Result> ours, Optional<LatencyFigures> latency) {
    return new SinkFigures(
        NOWHERE,
        ours,
        new Result("peer", 1, List.of(round(40_000))),
        new Result("raw", 1, List.of(round(80_000))),
        latency,
        List.of());
  }

  private static Result result(int shards, long... rates) {
    var rounds = new ArrayList<Round>();
    for (long rate : rates) {
      rounds.add(round(rate));
    }
    return new Result("ours", shards, rounds);
  }

  private static Round round(long rate) {
    return new Round(10 * rate, 10, rate, Map.of("worker", 15.0), 0, 0, 0);
  }

  private static SoakFigures soak(long... heaps) {
    var samples = new ArrayList<Sample>();
    for (long heap : heaps) {
      samples.add(new Sample(samples.size(), samples.size(), heap << 20, 400 << 20));
    }
    return new SoakFigures(1_000_000, 50, samples);
  }
}
