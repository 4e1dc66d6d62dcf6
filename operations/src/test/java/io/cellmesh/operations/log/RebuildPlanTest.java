package io.cellmesh.operations.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.log.RebuildStep.Begin;
import io.cellmesh.operations.log.RebuildStep.GoOn;
import io.cellmesh.operations.log.RebuildStep.Leave;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RebuildPlanTest {
  private static final RebuildRequest ALL = request(List.of(), null, false);
  private static final RebuildRequest ALL_AND_DELETE = request(List.of(), null, true);
  private static final String GTIDS = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-9";
  private static final String STREAMING = "{\"gtids\":\"" + GTIDS + "\"}";
  private static final String FRESH = "{\"rebuild\":\"0-31\"}";
  private static final String UNDERWAY =
      "{\"rebuild\":\"17-31\",\"shard\":17,\"added_id\":5000,\"gtids\":\"" + GTIDS + "\"}";
  private static final String UNDERWAY_C2 =
      UNDERWAY.replace("17-31", "40-63").replace(":17,", ":40,");

  private final FakeConnect connect =
      FakeConnect.withSources().offset("c1", STREAMING).offset("c2", STREAMING);

  @Test
  void everyClusterIsRebuiltAndTheTaskTakesTheServersOwnSet() {
    var plan = plan(ALL);

    assertThat(plan.begins())
        .extracting(b -> b.connector().name(), b -> b.shards().toString(), Begin::whole)
        .containsExactly(
            tuple("trips-source-c1", "0-31", true), tuple("trips-source-c2", "32-63", true));
    assertThat(json(plan.begins().get(0)))
        .isEqualTo(
            "{\"offsets\":[{\"partition\":{\"server\":\"trips.dc1.c1\"},\"offset\":{\"rebuild\":\"0-31\"}}]}");
    assertThat(plan.deletes()).isFalse();
  }

  @Test
  void someShardsGoOnFromTheStoredSet() {
    var plan = plan(request(List.of("c1"), "3,5-7", false));

    assertThat(plan.steps()).hasSize(1);
    assertThat(json(plan.begins().get(0)))
        .contains("\"offset\":{\"rebuild\":\"3,5-7\",\"gtids\":\"" + GTIDS + "\"}");
  }

  @Test
  void anOffsetThatCantBeReadIsTakenForNoneAndToldInWords() {
    connect.offset("c1", "{\"gtids\":\"" + GTIDS + "\",\"shard\":3}");

    assertThat(json(plan(ALL).begins().get(0))).contains("{\"rebuild\":\"0-31\"}");
    var some = plan(request(List.of("c1"), "3", false)).begins().get(0);
    assertThatThrownBy(() -> json(some))
        .hasMessageContaining("no stored GTID set that can be read");
    assertThat(connect.sources().all())
        .extracting(SourceStatus::damage)
        .containsExactly(Optional.of("shard and added_id come together"), Optional.empty());
  }

  @Test
  void shardsOfSeveralClustersGoToTheirOwn() {
    var plan = plan(request(List.of(), "30-33", false));

    assertThat(plan.begins())
        .extracting(b -> b.shards().toString())
        .containsExactly("30-31", "32-33");
  }

  @Test
  void withoutAStoredSetOnlyAllShardsCanBeRebuilt() {
    connect.offsets.remove("trips-source-c1");

    assertThatThrownBy(() -> json(plan(request(List.of("c1"), "3", false)).begins().get(0)))
        .isInstanceOfSatisfying(
            OperationException.class,
            e -> assertThat(e.kind()).isEqualTo(OperationException.Kind.REFUSED))
        .hasMessageContaining("leave out --shards");
    assertThat(json(plan(request(List.of("c1"), null, false)).begins().get(0)))
        .doesNotContain("gtids");
  }

  @Test
  void aRebuildInProgressGoesOn() {
    connect.offset("c1", UNDERWAY);

    var plan = plan(request(List.of("c1"), null, false));

    assertThat(plan.steps())
        .singleElement()
        .isInstanceOfSatisfying(
            GoOn.class,
            step -> {
              assertThat(step.remaining()).hasToString("17-31");
              assertThat(step.revive()).isFalse();
            });
  }

  @Test
  void aFailedOrStoppedRebuildIsRevived() {
    connect
        .offset("c1", UNDERWAY)
        .state("c1", "FAILED")
        .offset("c2", UNDERWAY_C2)
        .state("c2", "STOPPED");

    assertThat(plan(ALL).goingOn()).hasSize(2).allMatch(GoOn::revive);
  }

  @Test
  void aClusterWhoseRebuildIsDoneIsLeftAloneWhileAnothersGoesOn() {
    connect.offset("c2", UNDERWAY_C2);

    assertThat(plan(ALL).steps().get(0)).isInstanceOf(Leave.class);
    assertThat(plan(ALL).steps().get(1)).isInstanceOf(GoOn.class);
    assertThat(plan(request(List.of("c1", "c2"), null, false)).steps().get(0))
        .isInstanceOf(Begin.class);
  }

  @Test
  void anotherRebuildIsWidenedByWhatIsWanted() {
    connect.offset(
        "c1", "{\"rebuild\":\"4-5\",\"shard\":4,\"added_id\":1,\"gtids\":\"" + GTIDS + "\"}");

    var begin = plan(request(List.of("c1"), "2,9", false)).begins().get(0);

    assertThat(begin.again()).isTrue();
    assertThat(json(begin)).contains("{\"rebuild\":\"2,4-5,9\",\"gtids\":\"" + GTIDS + "\"}");
    assertThat(json(plan(request(List.of("c1"), null, false)).begins().get(0)))
        .contains("{\"rebuild\":\"0-31\"}");
  }

  @Test
  void aPartOfWhatRemainsIsOnItsWay() {
    connect.offset("c1", UNDERWAY);

    assertThat(plan(request(List.of("c1"), "20", false)).steps())
        .singleElement()
        .isInstanceOf(GoOn.class);
  }

  @Test
  void restartBeginsAgainWithAllThatWasAskedFor() {
    connect.offset("c1", UNDERWAY);

    var wish = new RebuildRequest(List.of("c1"), Optional.empty(), false, true);

    assertThat(plan(wish).begins()).extracting(b -> b.shards().toString()).containsExactly("0-31");
  }

  @Test
  void everythingMayBeDeletedBeforeAnyRebuildWrites() {
    assertThat(plan(ALL_AND_DELETE).deletes()).isTrue();
  }

  @Test
  void nothingIsDeletedOnceARebuildWrites() {
    connect.offset("c2", UNDERWAY_C2);
    assertThat(plan(ALL_AND_DELETE).deletes()).isFalse();

    connect.offset("c2", FRESH.replace("0-31", "32-63"));
    assertThat(plan(ALL_AND_DELETE).deletes()).isFalse();
  }

  @Test
  void anInterruptionBeforeTheConnectorsRanAgainIsTakenUp() {
    connect.offset("c1", FRESH).state("c1", "STOPPED").state("c2", "STOPPED");

    var plan = plan(ALL_AND_DELETE);

    assertThat(plan.begins()).hasSize(2).noneMatch(Begin::again);
    assertThat(plan.deletes()).isTrue();
  }

  @Test
  void deletionIsForEverythingOrNothing() {
    assertThatThrownBy(() -> request(List.of("c1"), null, true)).hasMessageContaining("--cluster");
    assertThatThrownBy(() -> request(List.of(), "0-63", true)).hasMessageContaining("--shards");
  }

  @Test
  void aShardOfAnotherClusterIsRefused() {
    assertThatThrownBy(() -> plan(request(List.of("c1"), "31-32", false)))
        .hasMessage("--shards: shard 32 belongs to cluster c2");
    assertThatThrownBy(() -> plan(request(List.of(), "64", false))).hasMessageContaining("0 to 63");
  }

  private RebuildPlan plan(RebuildRequest wish) {
    var sources = connect.sources();
    var found =
        sources.of(wish.targets(FakeConnect.TOPOLOGY), Optional.empty()).stream()
            .map(sources::find)
            .toList();
    return RebuildPlan.of(wish, found);
  }

  private String json(Begin begin) {
    return StoredOffset.request(
        begin.connector().server(), begin.request(connect.sources().offset(begin.connector())));
  }

  private static RebuildRequest request(List<String> clusters, String shards, boolean deleteOld) {
    return new RebuildRequest(
        clusters, Optional.ofNullable(shards).map(ShardSet::parse), deleteOld, false);
  }
}
