package io.cellmesh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogFiguresTest {
  private static final Surroundings NOWHERE =
      new Surroundings(new Machine("none", 2, 1024, "none"), Map.of(), Map.of(), Map.of());

  @Test
  void the_result_begins_with_name_ours_peer_and_ratio() {
    var document = figures(List.of()).document();

    assertThat(document.keySet())
        .startsWith("name", "ours", "peer", "ratio", "ratio_in_the_middle", "peer_defaults");
    assertThat(document)
        .containsEntry("name", "log")
        .containsEntry("ours", 30_000L)
        .containsEntry("peer", 40_000L)
        .containsEntry("ratio", 0.75)
        .containsEntry("ratio_defaults", 1.5);
  }

  @Test
  void what_the_worker_uses_at_rest_is_told_by_connector() {
    assertThat(figures(List.of()).document())
        .containsEntry("rest_percent_no_connector", 0.5)
        .containsEntry("rest_percent_ours", 1.25);
  }

  @Test
  void latencies_are_told_by_server_and_rate() {
    var live = new LiveFigures("ours, master", 1000, 999.8, 15_000, 0.61, 2.5, 9, 12, round(1000));

    assertThat(figures(List.of(live)).document())
        .containsEntry("live_ours_master_1000_p50_ms", 0.61)
        .containsEntry("live_ours_master_1000_p99_ms", 2.5);
  }

  @Test
  void more_shards_are_told_by_their_number() {
    var shards =
        new ShardsFigures(
            List.of(
                new ShardsFigures.Count(
                    9, 3.5, 50 << 20, 150 << 20, new Result("ours", 64, List.of(round(20_000)))),
                new ShardsFigures.Count(
                    90,
                    4.5,
                    60 << 20,
                    150 << 20,
                    new Result("ours", 4096, List.of(round(15_000))))));

    assertThat(shards.toFirst(shards.counts().get(1))).isEqualTo(0.75);
    assertThat(shards.document())
        .containsEntry("ours_4096", 15_000L)
        .containsEntry("create_s_4096", 90.0)
        .containsEntry("first_record_s_4096", 4.5)
        .containsEntry("heap_mib_4096", 60L);
  }

  private static LogFigures figures(List<LiveFigures> lives) {
    return new LogFigures(
        NOWHERE,
        new Result("ours", 64, List.of(round(30_000))),
        new Result("peer", 64, List.of(round(40_000))),
        new Result("peer, defaults", 64, List.of(round(20_000))),
        List.of(new RestFigures("no connector", 20, 0.5), new RestFigures("ours", 20, 1.25)),
        lives,
        List.of());
  }

  private static Round round(long rate) {
    return new Round(10 * rate, 10, rate, Map.of("worker", 15.0), 0, 0, 0);
  }
}
