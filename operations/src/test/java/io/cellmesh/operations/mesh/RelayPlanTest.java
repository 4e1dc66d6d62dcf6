package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.operations.mesh.RelayPlan.Gap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RelayPlanTest {
  private static final Shards SHARDS = new Shards(4, 2);

  private final Map<String, Holdings> survivors =
      Map.of("dc1", whole(), "dc3", whole(), "dc4", whole());

  @Test
  void in_each_shard_the_one_that_has_most_relays_to_all_others() {
    seen("dc1", 0, 900);
    seen("dc3", 0, 400);
    seen("dc3", 1, 70);
    seen("dc1", 1, 7);

    assertThat(RelayPlan.of(survivors, SHARDS).gaps())
        .containsExactlyInAnyOrder(
            gap(0, "dc3", "dc1", 400, 900),
            gap(0, "dc4", "dc1", Holdings.NONE, 900),
            gap(1, "dc1", "dc3", 7, 70),
            gap(1, "dc4", "dc3", Holdings.NONE, 70));
  }

  @Test
  void what_a_data_centre_has_lost_comes_home_from_whoever_has_most_and_from_its_log_alone() {
    seen("dc1", 0, 900);
    seen("dc3", 0, 900);
    seen("dc4", 0, 950);
    seen("dc1", 1, 70);
    seen("dc1", 2, 7);

    var home = RelayPlan.home("dc4", shard -> shard == 1 ? 70 : 5, survivors, SHARDS);
    assertThat(home.gaps())
        .containsExactlyInAnyOrder(
            new Gap(0, "dc4", "dc4", FoldSource.LOG, 0, 5, 950), gap(2, "dc4", "dc1", 5, 7));
    assertThat(home.beyond()).isEmpty();
  }

  @Test
  void where_all_have_the_same_there_is_nothing_to_do() {
    survivors.keySet().forEach(name -> seen(name, 0, 900));
    assertThat(RelayPlan.of(survivors, SHARDS)).isEqualTo(new RelayPlan(List.of(), List.of()));
  }

  @Test
  void what_the_mesh_topic_has_lost_is_read_in_the_log() {
    var dc1 = new Holdings("dc2", SHARDS);
    dc1.topic(FoldSource.MESH, "topic", List.of(5L, 5L));
    dc1.topic(FoldSource.LOG, "topic", List.of(0L, 0L));
    dc1.seen(0, 900);

    assertThat(RelayPlan.of(Map.of("dc1", dc1, "dc3", whole()), SHARDS).gaps())
        .containsExactly(new Gap(0, "dc3", "dc1", FoldSource.LOG, 0, Holdings.NONE, 900));
  }

  @Test
  void where_the_one_that_has_most_has_lost_the_beginning_the_next_one_relays() {
    var dc1 = cut();
    dc1.seen(0, 900);
    seen("dc4", 0, 600);

    var plan =
        RelayPlan.of(Map.of("dc1", dc1, "dc3", whole(), "dc4", survivors.get("dc4")), SHARDS);
    assertThat(plan.gaps()).containsExactly(gap(0, "dc3", "dc4", Holdings.NONE, 600));
    assertThat(plan.beyond()).extracting(Gap::to).containsExactly("dc4");
  }

  @Test
  void what_nobody_has_any_more_is_named() {
    var dc1 = cut();
    dc1.seen(3, 900);

    var plan = RelayPlan.of(Map.of("dc1", dc1, "dc3", whole()), SHARDS);
    assertThat(plan.gaps()).isEmpty();
    assertThat(plan.beyond())
        .containsExactly(
            new Gap(3, "dc3", "dc1", FoldSource.MESH, Holdings.NONE, Holdings.NONE, 900));
  }

  private void seen(String dc, int shard, long id) {
    survivors.get(dc).seen(shard, id);
  }

  private static Gap gap(int shard, String to, String from, long after, long last) {
    return new Gap(shard, to, from, FoldSource.MESH, 0, after, last);
  }

  private static Holdings whole() {
    return holdings(0);
  }

  private static Holdings cut() {
    return holdings(5);
  }

  private static Holdings holdings(long begin) {
    var holdings = new Holdings("dc2", SHARDS);
    for (var source : FoldSource.values()) {
      holdings.topic(source, "topic", List.of(begin, begin));
    }
    return holdings;
  }
}
