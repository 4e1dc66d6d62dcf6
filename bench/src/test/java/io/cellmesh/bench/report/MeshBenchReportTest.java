package io.cellmesh.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.bench.Machine;
import io.cellmesh.bench.MeshFigures;
import io.cellmesh.bench.MeshFigures.Way;
import io.cellmesh.bench.MeshFigures.Whole;
import io.cellmesh.bench.MeshLatency;
import io.cellmesh.bench.Result;
import io.cellmesh.bench.Round;
import io.cellmesh.bench.Surroundings;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeshBenchReportTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Console console =
      new Console(new PrintStream(out, true, StandardCharsets.UTF_8), System.err, Terminal.NONE);

  @Test
  void each_way_is_compared_with_the_peer_over_the_same_distance() {
    new MeshBenchReport(console, figures()).print();

    assertThat(printed())
        .containsPattern("0 ms +kafka +20,000 +2.00 ")
        .containsPattern("40 ms +kafka +15,000 +3.00 ")
        .containsPattern("40 ms +mm2 \\+ jdbc +5,000 +5,000 ");
  }

  @Test
  void latency_is_told_with_and_without_the_network() {
    new MeshBenchReport(console, figures()).print();

    assertThat(printed())
        .containsPattern("40 ms +kafka +52.5 +90.0 +12.5 +50.0 +20,000\n")
        .containsPattern("40 ms +kafka +61.0 +99.0 +21.0 +59.0\n");
  }

  @Test
  void the_document_has_a_key_for_each_figure_of_each_distance() throws Exception {
    console.jsonLine(figures().document());

    var document = new ObjectMapper().readTree(printed());
    assertThat(document.get("kafka_40").asLong()).isEqualTo(15_000);
    assertThat(document.get("ratio_kafka_40").asDouble()).isEqualTo(3);
    assertThat(document.get("mm2_jdbc_0").asLong()).isEqualTo(10_000);
    assertThat(document.has("ratio_mm2_jdbc_0")).isFalse();
    assertThat(document.get("latency_kafka_40_p50_ms").asDouble()).isEqualTo(52.5);
    assertThat(document.get("whole_kafka_40_p99_ms").asDouble()).isEqualTo(99);
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private static MeshFigures figures() {
    return new MeshFigures(
        new Surroundings(
            new Machine("an abacus", 2, 100, "Linux"),
            Map.of("Java", "17"),
            Map.of("sync_binlog", "1"),
            Map.of("mirror: tasks.max", "2")),
        List.of(
            way("kafka", false, 0, 20_000),
            way("mm2 + jdbc", true, 0, 10_000),
            way("kafka", false, 40, 15_000),
            way("mm2 + jdbc", true, 40, 5_000)),
        List.of(new Whole("kafka", 40, new MeshLatency(10_000, 61, 99, 120, round(1_000)))));
  }

  private static Way way(String name, boolean peer, int delay, long rate) {
    return new Way(
        name,
        peer,
        delay,
        new Result(name, 0, List.of(round(rate))),
        List.of(
            new MeshLatency(10_000, 50, 90, 120, round(1_000)),
            new MeshLatency(10_000, 55, 90, 120, round(1_000))));
  }

  private static Round round(long rate) {
    return new Round(10 * rate, 10, rate, Map.of("dc1-worker", 5.0), 0, 0, 0);
  }
}
