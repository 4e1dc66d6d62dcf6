package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The measurement works; its figures are too small to mean anything here. */
@Tag("full")
class BenchIndexIT {

  @Test
  void bench_index_ends_in_one_line_that_machines_read() throws IOException {
    var bench =
        Command.run(
            "bench",
            "index",
            "--cells=10000",
            "--warm-up=1000",
            "--rounds=1",
            "--shards=16",
            "--rate=100",
            "--seconds=1",
            "--entries=20000",
            "--queries=500",
            "--json");

    assertThat(bench.exit()).as(bench.err()).isZero();
    var lines = bench.out().lines().toList();
    var result = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(result.get("name").asText()).isEqualTo("index");
    for (var figure :
        new String[] {
          "fresh_p50_ms",
          "from_master_fresh_p50_ms",
          "backfill_one_index",
          "backfill_three_indexes",
          "peer",
          "tables",
          "query_p50_ms"
        }) {
      assertThat(result.get(figure).asDouble()).as(figure).isPositive();
    }
    assertThat(lines)
        .anyMatch(line -> line.startsWith("machine"))
        .anyMatch(line -> line.contains(" on idx_bench_driver_v2 using "));
  }
}
