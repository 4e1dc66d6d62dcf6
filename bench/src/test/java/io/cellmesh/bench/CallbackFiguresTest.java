package io.cellmesh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallbackFiguresTest {
  private static final CallbackFigures FIGURES =
      new CallbackFigures(
          new Machine("none", 2, 1024, "none"),
          Map.of(),
          List.of(
              result("ours", 200_000),
              result("ours, reading", 100_000),
              result("plain consumer", 400_000),
              result("Parallel Consumer", 50_000)),
          List.of(new PaceFigures(1, 190), new PaceFigures(64, 11_400)),
          List.of(
              new CallbackLatencyFigures("ours", 20_000, 1.5, 4, 9),
              new CallbackLatencyFigures("plain consumer", 20_000, 1, 3, 8)),
          List.of());

  @Test
  void rates_are_told_in_terms_of_the_plain_consumer_and_of_the_parallel_one() {
    assertThat(FIGURES.document())
        .containsEntry("name", "trigger")
        .containsEntry("ours", 200_000L)
        .containsEntry("reading", 100_000L)
        .containsEntry("plain", 400_000L)
        .containsEntry("parallel", 50_000L)
        .containsEntry("ratio_plain", 0.5)
        .containsEntry("ratio_parallel", 4.0);
  }

  @Test
  void many_threads_are_told_in_terms_of_one() {
    assertThat(FIGURES.document())
        .containsEntry("waiting_threads_64", 11_400.0)
        .containsEntry("ratio_waiting", 60.0);
  }

  @Test
  void latencies_are_told_by_who_had_them() {
    assertThat(FIGURES.document())
        .containsEntry("latency_ours_p50_ms", 1.5)
        .containsEntry("latency_plain_p99_ms", 3.0);
  }

  private static Result result(String name, double rate) {
    var round = new Round((long) rate, 1, rate, Map.of(), 0, 0, 0);
    return new Result(name, 64, List.of(round));
  }
}
