package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The measurement works; its figures are too small to mean anything here. */
@Tag("full")
class BenchWorkerIT {

  @Test
  void bench_worker_ends_in_one_line_that_machines_read() throws IOException {
    var bench =
        Command.run(
            "bench",
            "worker",
            "--rounds=1",
            "--seconds=1",
            "--threads=2",
            "--requests=1000",
            "--connections=100",
            "--json");

    assertThat(bench.exit()).as(bench.err()).isZero();
    var lines = bench.out().lines().toList();
    var result = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(result.get("name").asText()).isEqualTo("worker");
    for (var question : new String[] {"cell", "latest", "row", "page"}) {
      double plain = result.get(question + "_plain").asDouble();
      double worker = result.get(question + "_worker").asDouble();
      assertThat(plain).as(question).isPositive();
      assertThat(worker).as(question).isPositive();
      assertThat(result.get(question + "_ratio").asDouble())
          .isCloseTo(worker / plain, within(0.01));
      assertThat(result.get(question + "_worker_p50_ms").asDouble()).as(question).isPositive();
    }
    assertThat(result.get("idle_connections").asInt()).isEqualTo(100);
    for (var wait : new String[] {"accepted", "visible"}) {
      assertThat(result.get("put_" + wait + "_p50_ms").asDouble()).as(wait).isPositive();
    }
    assertThat(result.get("sink_p50_ms").asDouble()).isPositive();
    assertThat(lines).anyMatch(line -> line.startsWith("machine"));
  }
}
