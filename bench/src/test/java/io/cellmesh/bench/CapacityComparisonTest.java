package io.cellmesh.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cellmesh.bench.CapacityComparison.Seen;
import io.cellmesh.bench.CapacityFigures.Line;
import io.cellmesh.bench.CapacitySampler.Peak;
import io.cellmesh.cell.Shards;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.operations.capacity.Capacity;
import io.cellmesh.operations.capacity.Layout;
import io.cellmesh.operations.capacity.Limits;
import io.cellmesh.operations.capacity.Load;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CapacityComparisonTest {
  /** Twenty seconds, two masters. */
  private static final StackCounters REST = counted(20, 400, 2.0);

  /** A minute of cells and six seconds after it, with one look of the sampler's a second. */
  private static final Seen SEEN =
      new Seen(
          counted(66, 6000 + 66 * 20 + 60 * 2, 66 * 0.1 + 30),
          60,
          new Peak(22, 20, 100, 200, 60),
          40_000_000,
          new SinkBeans(2, 5, 1));

  @Test
  void whatIsDoneAtRestAndForTheSamplerIsNotCountedForTheCells() {
    var lines = lines(1);

    assertThat(measured(lines, "statements"))
        .as("50 for cells, and 10 as at rest")
        .isCloseTo(60, within(1e-9));
    assertThat(measured(lines, "statements_rest")).isCloseTo(10, within(1e-9));
    assertThat(measured(lines, "worker_cpu")).as("of all").isCloseTo(0.6, within(1e-9));
  }

  @Test
  void theBenchsOwnConnectionsAreNotThoseOfAServer() {
    assertThat(measured(lines(1), "connections_master")).isEqualTo(22 / 2 - 2);
    assertThat(measured(lines(1), "connections_minion")).isEqualTo(20 / 2 - 1);
  }

  @Test
  void withoutMinionsNothingIsSaidOfThem() {
    assertThat(lines(0)).extracting(Line::name).noneMatch(name -> name.contains("minion"));
  }

  @Test
  void everyLineHasANameOfItsOwnAndAPrediction() {
    assertThat(lines(1)).extracting(Line::name).doesNotHaveDuplicates().hasSize(16);
    assertThat(lines(1)).allSatisfy(line -> assertThat(line.predicted()).isPositive());
  }

  @Test
  void aSinkThatTellsNothingIsNamedAndNotTakenForOneOfNoCells() {
    assertThatThrownBy(() -> SinkBeans.of(ManagementFactory.getPlatformMBeanServer()))
        .isInstanceOf(DevStackException.class)
        .hasMessageContaining("batch-cells-avg");
  }

  private static List<Line> lines(int minions) {
    var layout = Layout.of(2, minions, new Shards(64, 16));
    var model = Capacity.ofPuts(layout, new Load(100, 600, 1), Limits.USUAL, 2);
    return CapacityComparison.lines(model, REST, SEEN);
  }

  private static double measured(List<Line> lines, String name) {
    return lines.stream().filter(l -> l.name().equals(name)).findFirst().orElseThrow().measured();
  }

  private static StackCounters counted(double seconds, long questions, double workerCpu) {
    var masters = new ServerCounters(Map.of("Questions", questions), 0, 0, 0);
    return new StackCounters(masters, ServerCounters.none(), workerCpu, seconds);
  }
}
