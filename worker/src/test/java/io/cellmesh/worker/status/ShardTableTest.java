package io.cellmesh.worker.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.storage.EntityCounts;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.Position;
import io.cellmesh.topics.TopicOffsets;
import io.cellmesh.worker.status.ServerPulse.State;
import io.cellmesh.worker.status.StatusView.ShardView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShardTableTest {
  private static final Topology TOPOLOGY =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 4
          partitions: 2
          datacenter: dc1
          clusters:
            - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://a:1", domain: r1}}
            - {name: c2, shards: 2-3, epoch: 1, master: {url: "mysql://b:1", domain: r2}}
          """);

  private final MutableClock clock = new MutableClock();
  private final ShardTable table = new ShardTable(clock);

  @Test
  void growth_is_what_came_within_the_last_hour() {
    assertThat(add(Map.of(0, counted(100, 100))).get(0).grown()).isZero();
    clock.pass(Duration.ofMinutes(30));
    assertThat(add(Map.of(0, counted(130, 140))).get(0).grown()).isEqualTo(30);
    clock.pass(Duration.ofMinutes(40));
    var view = add(Map.of(0, counted(150, 170))).get(0);
    assertThat(view.grown()).as("the first sample is too old").isEqualTo(20);
    assertThat(view.cells()).isEqualTo(150);
  }

  @Test
  void of_a_large_cluster_the_ids_are_counted_but_not_those_that_a_promotion_skips() {
    add(Map.of(0, estimated(1_000_000, 5_000)));
    clock.pass(Duration.ofMinutes(1));
    assertThat(add(Map.of(0, estimated(900_000, 5_040))).get(0).grown()).isEqualTo(40);
    clock.pass(Duration.ofMinutes(1));
    var promoted = add(Map.of(0, estimated(900_000, 1_000_000_000_001L))).get(0);
    assertThat(promoted.grown()).isZero();
    assertThat(promoted.exact()).isFalse();
  }

  @Test
  void of_a_master_that_does_not_answer_the_figures_stay_and_the_lag_grows() {
    add(Map.of(2, counted(7, 7)));
    var view = table.add(TOPOLOGY, seen(Map.of(), 50), pulses(10), Map.of(2, 3)).get(2);
    assertThat(view.cells()).isEqualTo(7);
    assertThat(view.lag()).contains(40L);
    assertThat(view.rejected()).isEqualTo(3);
    assertThat(view.cluster()).isEqualTo("c2");
    assertThat(view.partition()).isZero();
  }

  @Test
  void the_highest_lag_of_the_hour_is_kept_and_one_that_nobody_told_is_not_known() {
    table.add(TOPOLOGY, seen(Map.of(), 50), pulses(10), Map.of());
    clock.pass(Duration.ofMinutes(1));
    var view = table.add(TOPOLOGY, seen(Map.of(), 50), pulses(50), Map.of()).get(0);
    assertThat(view.lag()).contains(0L);
    assertThat(view.mostLag()).isEqualTo(40);
    var silent =
        List.of(pulse("c1", Map.of(), State.UNKNOWN), pulse("c2", Map.of(), State.UNKNOWN));
    assertThat(table.add(TOPOLOGY, seen(Map.of(), 50), silent, Map.of()).get(0).lag()).isEmpty();
  }

  private List<ShardView> add(Map<Integer, Looks.Counted> counted) {
    return table.add(TOPOLOGY, seen(counted, 0), pulses(0), Map.of());
  }

  private static Looks.ShardCounts seen(Map<Integer, Looks.Counted> counted, long end) {
    return new Looks.ShardCounts(
        counted,
        new TopicOffsets("trips.cells", List.of(0L, 0L), List.of(end, end)),
        new TopicOffsets("trips.mesh", List.of(0L, 0L), List.of(0L, 0L)));
  }

  private static List<ServerPulse> pulses(long next) {
    var at = new Position(new Mark(next, 0), Mark.START);
    var positions = Map.of(0, at, 1, at);
    return List.of(pulse("c1", positions, State.WELL), pulse("c2", positions, State.SILENT));
  }

  private static ServerPulse pulse(String cluster, Map<Integer, Position> positions, State state) {
    return new ServerPulse(
        cluster,
        "master",
        cluster,
        state,
        MutableClock.BEGIN,
        true,
        "",
        MutableClock.BEGIN,
        positions);
  }

  private static Looks.Counted counted(long rows, long last) {
    return new Looks.Counted(new EntityCounts.Size(rows, last), true);
  }

  private static Looks.Counted estimated(long rows, long last) {
    return new Looks.Counted(new EntityCounts.Size(rows, last), false);
  }
}
