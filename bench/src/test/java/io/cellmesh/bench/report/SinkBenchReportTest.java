package io.cellmesh.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.bench.LatencyFigures;
import io.cellmesh.bench.Machine;
import io.cellmesh.bench.Profile;
import io.cellmesh.bench.Result;
import io.cellmesh.bench.Round;
import io.cellmesh.bench.SinkFigures;
import io.cellmesh.bench.Surroundings;
import io.cellmesh.bench.ThreadUse;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SinkBenchReportTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Console console =
      new Console(new PrintStream(out, true, StandardCharsets.UTF_8), System.err, Terminal.NONE);

  @Test
  void the_last_line_is_one_json_object() throws IOException {
    console.jsonLine(figures().document());

    assertThat(printed().lines()).hasSize(1);
    assertThat(new ObjectMapper().readTree(printed()).get("ratio").asDouble()).isEqualTo(0.5);
  }

  @Test
  void machine_versions_and_durability_are_printed_and_no_password_is() {
    new SinkBenchReport(console, figures()).print();

    assertThat(printed())
        .contains("machine   an abacus, 2 cores")
        .contains("Java 17")
        .contains("sync_binlog=1")
        .contains("batch.size=2000")
        .contains("connection.password=…")
        .doesNotContain("secret");
  }

  @Test
  void each_number_of_shards_has_its_ratio_to_the_peer_and_to_the_first() {
    new SinkBenchReport(console, figures()).print();

    assertThat(printed()).containsPattern("ours +64 +20,000 +0.50 +1.00 +20,000 +20,000\n");
    assertThat(printed()).containsPattern("ours +1,024 +15,000 +0.38 +0.75 +15,000! +15,000\n");
    assertThat(printed()).containsPattern("peer +1 +40,000 +1.00 +40,000 +40,000\n");
  }

  @Test
  void latency_and_profile_are_printed_when_they_were_asked_for() {
    new SinkBenchReport(console, figures()).print();

    assertThat(printed())
        .contains("p50 3.2 ms, p99 9.9 ms")
        .containsPattern("task-thread +1.50 +0.25")
        .containsPattern("60.0 % +java.util.zip\n");
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private static SinkFigures figures() {
    var profile =
        new Profile(
            "ours",
            round(1000, 0),
            List.of(new ThreadUse("task-thread", 1.5, 0.25)),
            10,
            List.of(new Profile.Share("java.util.zip", 0.6)),
            List.of(),
            List.of(),
            List.of());
    return new SinkFigures(
        new Surroundings(
            new Machine("an abacus", 2, 1024, "none"),
            Map.of("Java", "17"),
            Map.of("sync_binlog", "1"),
            Map.of("batch.size", "2000", "connection.password", "secret")),
        List.of(
            new Result("ours", 64, List.of(round(20_000, 0))),
            new Result("ours", 1024, List.of(round(15_000, 9)))),
        new Result("peer", 1, List.of(round(40_000, 0))),
        new Result("raw", 1, List.of(round(80_000, 0))),
        Optional.of(new LatencyFigures(1000, 30_000, 3.21, 9.876, 50, 1.2, round(1000, 0))),
        List.of(profile));
  }

  private static Round round(long rate, double others) {
    return new Round(10 * rate, 10, rate, Map.of("worker", 15.0), 0, others, 0);
  }
}
