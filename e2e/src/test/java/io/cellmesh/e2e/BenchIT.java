package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The measurement works; its figures are too small to mean anything here. */
@Tag("full")
class BenchIT {

  @Test
  void bench_sink_ends_in_one_line_that_machines_read() throws IOException {
    var bench =
        Command.run(
            "bench", "sink", "--cells", "20000", "--warm-up", "10000", "--rounds", "1", "--json");

    assertThat(bench.exit()).as(bench.err()).isZero();
    var lines = bench.out().lines().toList();
    var result = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(result.get("name").asText()).isEqualTo("sink");
    assertThat(result.get("ours").asDouble()).isPositive();
    assertThat(result.get("peer").asDouble()).isPositive();
    assertThat(result.get("ratio").asDouble())
        .isBetween(0.99 * ratio(result), 1.01 * ratio(result));
    assertThat(lines)
        .anyMatch(line -> line.startsWith("machine"))
        .anyMatch(line -> line.startsWith("mysqld"));
  }

  private static double ratio(com.fasterxml.jackson.databind.JsonNode result) {
    return result.get("ours").asDouble() / result.get("peer").asDouble();
  }
}
