package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The measurement works; its figures are too small to mean anything here. */
@Tag("full")
class BenchTriggerIT {

  @Test
  void bench_trigger_ends_in_one_line_that_machines_read() throws IOException {
    var bench =
        Command.run("bench", "trigger", "--cells=10000", "--rounds=1", "--seconds=2", "--json");

    assertThat(bench.exit()).as(bench.err()).isZero();
    var lines = bench.out().lines().toList();
    var result = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(result.get("name").asText()).isEqualTo("trigger");
    for (var rate : new String[] {"ours", "reading", "plain", "parallel"}) {
      assertThat(result.get(rate).asDouble()).as(rate).isPositive();
    }
    assertThat(result.get("ratio_plain").asDouble())
        .isCloseTo(result.get("ours").asDouble() / result.get("plain").asDouble(), within(0.01));
    // No thread makes more than a callback every 5 ms.
    assertThat(result.get("waiting_threads_1").asDouble()).isBetween(1.0, 200.0);
    assertThat(result.get("waiting_threads_64").asDouble()).isBetween(200.0, 12_800.0);
    assertThat(result.get("latency_ours_p50_ms").asDouble()).isPositive();
    assertThat(lines).anyMatch(line -> line.startsWith("machine"));
  }
}
