package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The measurement works; its figures are too small to mean anything here. */
@Tag("full")
class BenchLogIT {

  @Test
  void bench_log_ends_in_one_line_that_machines_read() throws IOException {
    var bench =
        Command.run(
            "bench", "log", "--cells=10000", "--warm-up=5000", "--rounds=1", "--rest=0", "--json");

    assertThat(bench.exit()).as(bench.err()).isZero();
    var lines = bench.out().lines().toList();
    var result = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(result.get("name").asText()).isEqualTo("log");
    for (var rate : new String[] {"ours", "peer", "peer_defaults"}) {
      assertThat(result.get(rate).asDouble()).as(rate).isPositive();
    }
    assertThat(lines)
        .anyMatch(line -> line.startsWith("machine"))
        .anyMatch(line -> line.startsWith("mysqld"));
  }
}
