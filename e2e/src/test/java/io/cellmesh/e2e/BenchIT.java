package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The measurement works; its figures are too small to mean anything here. */
@Tag("full")
class BenchIT {

  private static final int CELLS = 20_000;

  @Test
  void bench_sink_ends_in_one_line_that_machines_read() throws IOException {
    var bench =
        Command.run(
            "bench",
            "sink",
            "--cells",
            "" + CELLS,
            "--warm-up",
            "10000",
            "--rounds",
            "1",
            "--json");

    assertThat(bench.exit()).as(bench.err()).isZero();
    var lines = bench.out().lines().toList();
    var result = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(result.get("name").asText()).isEqualTo("sink");
    double ours = measured(result, "ours");
    double peer = measured(result, "peer");
    measured(result, "raw");
    assertThat(result.get("ratio").asDouble()).isCloseTo(ours / peer, withinPercentage(1));
    assertThat(lines)
        .anyMatch(line -> line.startsWith("machine"))
        .anyMatch(line -> line.startsWith("mysqld"));
  }

  /** The cells a second of the one round, which the figure has to be. */
  private static double measured(JsonNode result, String contestant) {
    var rounds = result.get("rounds").get(contestant);
    assertThat(rounds).as("rounds of %s", contestant).hasSize(1);
    long cells = rounds.get(0).get("cells").asLong();
    // Those that were visible at the first look are not in it.
    assertThat(cells).as("cells of %s", contestant).isBetween(CELLS / 4L, (long) CELLS);
    double rate = cells / rounds.get(0).get("seconds").asDouble();
    assertThat(result.get(contestant).asDouble())
        .as("cells a second of %s", contestant)
        .isCloseTo(rate, withinPercentage(1));
    return rate;
  }
}
