package io.cellmesh.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.bench.LiveFigures;
import io.cellmesh.bench.LogFigures;
import io.cellmesh.bench.Machine;
import io.cellmesh.bench.RestFigures;
import io.cellmesh.bench.Result;
import io.cellmesh.bench.Round;
import io.cellmesh.bench.ShardsFigures;
import io.cellmesh.bench.Surroundings;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogBenchReportTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Console console =
      new Console(new PrintStream(out, true, StandardCharsets.UTF_8), System.err, Terminal.NONE);

  @Test
  void everybodys_rate_is_told_in_terms_of_the_peer_at_its_best() {
    print(List.of());

    assertThat(printed())
        .containsPattern("ours +64 +30,000 +0.75 +30,000 +30,000\n")
        .containsPattern("peer +64 +40,000 +1.00 +40,000! +40,000\n")
        .containsPattern("peer, defaults +64 +20,000 +0.50 +20,000 +20,000\n");
  }

  @Test
  void the_peers_settings_are_printed_and_no_password_is() {
    print(List.of());

    assertThat(printed())
        .contains("max.batch.size=8192")
        .contains("database.password=…")
        .doesNotContain("secret");
  }

  @Test
  void what_the_worker_uses_at_rest_stands_beside_one_without_a_connector() {
    print(List.of());

    assertThat(printed())
        .containsPattern("no connector +0.50 +20\n")
        .containsPattern("ours +1.25 +20\n");
  }

  @Test
  void latency_is_printed_when_it_was_asked_for() {
    print(
        List.of(
            new LiveFigures(
                "ours, minion", 1000, 998.6, 15_000, 1.234, 4.5, 20, 7, round(1000, 0))));

    assertThat(printed())
        .containsPattern("ours, minion +1,000 +999 +1.23 +4.50 +20.0 +15,000 +7\n")
        .contains("ours, minion, 1,000/s");
  }

  @Test
  void each_number_of_shards_has_its_times_and_its_heap() {
    var count =
        new ShardsFigures.Count(
            91.5, 3.456, 50 << 20, 150 << 20, new Result("ours", 4096, List.of(round(9000, 0))));

    new ShardsBenchReport(console, new ShardsFigures(List.of(count))).print();

    assertThat(printed()).containsPattern("4,096 +91.5 +3.46 +9,000 +1.00 +50 MiB +150 MiB\n");
  }

  private void print(List<LiveFigures> lives) {
    var around =
        new Surroundings(
            new Machine("an abacus", 2, 1024, "none"),
            Map.of("Java", "17"),
            Map.of("sync_binlog", "1"),
            Map.of("max.batch.size", "8192", "database.password", "secret"));
    var figures =
        new LogFigures(
            around,
            new Result("ours", 64, List.of(round(30_000, 0))),
            new Result("peer", 64, List.of(round(40_000, 9))),
            new Result("peer, defaults", 64, List.of(round(20_000, 0))),
            List.of(new RestFigures("no connector", 20, 0.5), new RestFigures("ours", 20, 1.25)),
            lives,
            List.of());
    new LogBenchReport(console, figures).print();
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private static Round round(long rate, double others) {
    return new Round(10 * rate, 10, rate, Map.of("worker", 15.0), 0, others, 0);
  }
}
