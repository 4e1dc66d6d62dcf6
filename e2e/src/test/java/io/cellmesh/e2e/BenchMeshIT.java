package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The measurement works; its figures are too small to mean anything here. */
@Tag("full")
class BenchMeshIT {

  @Test
  void bench_mesh_ends_in_one_line_that_machines_read() throws IOException {
    var bench =
        Command.run(
            "bench",
            "mesh",
            "--cells=2000",
            "--warm-up=1000",
            "--seconds=2",
            "--delays=0,20",
            "--json");

    assertThat(bench.exit()).as(bench.err()).isZero();
    var lines = bench.out().lines().toList();
    var result = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(result.get("name").asText()).isEqualTo("mesh");
    for (var delay : new int[] {0, 20}) {
      double peer = result.get("mm2_jdbc_" + delay).asDouble();
      for (var way : new String[] {"kafka_", "http_", "mm2_jdbc_"}) {
        double rate = result.get(way + delay).asDouble();
        assertThat(rate).as(way + delay).isPositive();
        assertThat(result.get("latency_" + way + delay + "_p50_ms").asDouble())
            .as("nothing is faster than the network")
            .isGreaterThanOrEqualTo(delay);
        if (!way.startsWith("mm2")) {
          assertThat(result.get("ratio_" + way + delay).asDouble())
              .isCloseTo(rate / peer, within(0.01));
          assertThat(result.get("whole_" + way + delay + "_p50_ms").asDouble())
              .isGreaterThanOrEqualTo(delay);
        }
      }
    }
    assertThat(lines).anyMatch(line -> line.startsWith("machine"));
  }
}
