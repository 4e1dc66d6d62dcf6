package io.cellmesh.operations.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferListing.ListedCopy;
import io.cellmesh.storage.IngestTopic;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrimaryViewTest {
  private static final Server MASTER = new Server("db1", 3306, "rack1");
  private static final Server NEAR = new Server("db2", 3306, "rack2");
  private static final Server FAR = new Server("db3", 3306, "rack3");

  @Test
  void
      cells_past_the_masters_position_wait_and_the_others_are_kept_for_the_minion_that_lacks_them() {
    var positions = positions(Map.of(MASTER, 20L, NEAR, 20L, FAR, 10L));
    var view = view(positions, held("c2", 0, 10, 4), held("c2", 10, 20, 5), held("c3", 20, 30, 6));

    assertThat(view.masterUp()).isTrue();
    assertThat(view.waitingCells()).isEqualTo(6);
    assertThat(view.keptCells()).isEqualTo(9);
    assertThat(view.keptFor()).containsExactly("db3:3306");
    assertThat(view.held())
        .extracting(
            PrimaryView.Row::secondary, PrimaryView.Row::cells, PrimaryView.Row::waitingCells)
        .containsExactly(tuple("c2", 9L, 0L), tuple("c3", 6L, 6L));
    assertThat(view.held().get(0).records()).isEqualTo("trips.cells-3");
  }

  @Test
  void what_is_on_its_way_does_not_wait_and_what_stands_still_does() {
    var onItsWay = positions(Map.of(MASTER, 20L, NEAR, 20L, FAR, 10L));
    var view = view(onItsWay, held("c2", 0, 10, 4), held("c2", 10, 20, 5), held("c3", 20, 30, 6));
    long age = view.oldestWaitingMillis();

    assertThat(age).isPositive();
    assertThat(view.oldestKeptMillis()).isPositive();
    assertThat(view.waits(Duration.ofMillis(Math.max(age, view.oldestKeptMillis())))).isFalse();
    assertThat(view.waits(Duration.ofMillis(age - 1))).isTrue();
    var gap = view(onItsWay, held("c2", 30, 40, 1));
    assertThat(gap.waits(Duration.ofDays(1))).isTrue();
  }

  @Test
  void without_the_master_the_minion_that_is_farthest_tells_what_waits() {
    var view =
        view(positions(Map.of(NEAR, 10L, FAR, 20L)), held("c2", 0, 20, 4), held("c2", 20, 30, 6));

    assertThat(view.masterUp()).isFalse();
    assertThat(view.positionOf()).isEqualTo("db3:3306");
    assertThat(view.waitingCells()).isEqualTo(6);
  }

  @Test
  void without_any_server_of_the_cluster_everything_waits_and_no_gap_is_claimed() {
    var view = view(positions(Map.of()), held("c2", 5, 20, 4), held("c2", 30, 40, 6));

    assertThat(view.positionOf()).isEmpty();
    assertThat(view.waitingCells()).isEqualTo(10);
    assertThat(view.gaps()).isEmpty();
  }

  @Test
  void a_gap_counts_only_if_it_begins_at_the_same_offset_at_the_second_look() {
    var positions = positions(Map.of(MASTER, 10L));
    var gap = view(positions, held("c2", 20, 30, 6));
    var closed = view(positions, held("c2", 10, 30, 9));

    assertThat(gap.gaps()).containsExactly(new MissingRecords("trips.cells-3", 10, 20));
    assertThat(gap.confirmedBy(gap).gaps()).hasSize(1);
    assertThat(gap.confirmedBy(closed).gaps()).isEmpty();
    assertThat(closed.confirmedBy(gap).gaps()).isEmpty();
  }

  @Test
  void the_state_of_a_cell_says_what_it_waits_for() {
    var positions = positions(Map.of(MASTER, 20L, NEAR, 20L));
    assertThat(positions.state(IngestTopic.CELLS, 3, 20, 30)).isEqualTo("waiting");
    assertThat(positions.state(IngestTopic.CELLS, 3, 19, 20))
        .isEqualTo("applied, waits for minion db3:3306");
    assertThat(
            positions(Map.of(MASTER, 20L, NEAR, 20L, FAR, 20L)).state(IngestTopic.CELLS, 3, 19, 20))
        .isEqualTo("can go");
    var alone = new StorageCluster("c1", ShardSet.parse("0-7"), 1, MASTER, List.of());
    assertThat(
            new ClusterPositions(alone, positions.positions()).state(IngestTopic.CELLS, 3, 19, 20))
        .isEqualTo("applied, stays: c1 lists no minion");
  }

  private static PrimaryView view(ClusterPositions positions, SecondaryCopy... held) {
    return PrimaryView.of(new Topics("trips"), positions, List.of(held));
  }

  private static ClusterPositions positions(Map<Server, Long> next) {
    var cluster = new StorageCluster("c1", ShardSet.parse("0-7"), 1, MASTER, List.of(NEAR, FAR));
    var positions = new HashMap<Server, Map<Integer, Map<IngestTopic, Long>>>();
    next.forEach(
        (server, offset) ->
            positions.put(
                server, Map.of(3, Map.of(IngestTopic.CELLS, offset, IngestTopic.MESH, 0L))));
    return new ClusterPositions(cluster, positions);
  }

  private static SecondaryCopy held(String secondary, long previous, long next, long cells) {
    return new SecondaryCopy(
        secondary, new ListedCopy(next, "c1", IngestTopic.CELLS, 3, previous, next, cells, 34_000));
  }
}
