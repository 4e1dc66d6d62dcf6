package io.cellmesh.operations.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cellmesh.cell.Shards;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.capacity.Capacity.Section;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CapacityTest {
  private static final Load LOAD = new Load(1000, 600, 1);

  @Test
  void aPutOfOneCellIsATransactionOnOneMasterAndACopyOnAnother() {
    var put = PutCost.of(layout(16, 1, 4096, 64, 8), LOAD, 1);

    assertThat(put.primaries()).isCloseTo(1, within(1e-9));
    assertThat(put.commits()).isCloseTo(2, within(1e-9));
    assertThat(put.statements()).isCloseTo(6, within(1e-9));
  }

  @Test
  void aLargePutCostsEveryClusterTwoCommitsAndEveryShardAnInsert() {
    var put = PutCost.of(layout(16, 1, 256, 16, 2), LOAD, 100_000);

    assertThat(put.commits()).isCloseTo(32, within(1e-6));
    assertThat(put.statements()).isCloseTo(128 + 5 * 16, within(1e-6));
    assertThat(put.copyRows()).as("no more than shards").isCloseTo(128, within(1e-6));
  }

  @Test
  void copiesAreRowsOfAClusterAndAPartition() {
    var put = PutCost.of(layout(16, 1, 4096, 16, 2), LOAD, 100_000);

    assertThat(put.copyRows()).as("clusters x partitions of a task").isCloseTo(128, within(1e-6));
  }

  @Test
  void aTaskWritesToNoMoreClustersThanItHasShards() {
    var put = PutCost.of(layout(16, 1, 64, 16, 16), LOAD, 100_000);

    assertThat(put.primaries()).isCloseTo(4, within(1e-6));
  }

  @Test
  void whereEachClusterHasFewShardsTheyAreAllOfOneTask() {
    assertThat(layout(4, 1, 64, 16, 2).clustersOfTask()).isEqualTo(4);
    assertThat(layout(8, 1, 64, 16, 2).clustersOfTask()).isEqualTo(4);
    assertThat(layout(16, 1, 64, 16, 2).clustersOfTask()).isEqualTo(8);
    assertThat(layout(64, 1, 4096, 64, 8).clustersOfTask()).isEqualTo(64);
  }

  @Test
  void copiesThatGoAreOfThePrimariesThatATaskWrites() {
    var reap = of(layout(8, 1, 64, 16, 2)).reap();

    assertThat(reap.deletes())
        .as("four primaries' copies on seven others each, and positions of the other four")
        .isBetween(27.0, 33.0);
  }

  @Test
  void theSameCellsCostMoreCommitsOnMoreClusters() {
    double few = commitsOfCell(2);
    double many = commitsOfCell(64);

    assertThat(many).isGreaterThan(3 * few);
  }

  @Test
  void copiesOfManyPrimariesAreTwoCommitsWhileTheyAreLittle() {
    var little = PutCost.of(layout(64, 1, 4096, 64, 8), LOAD, 100);
    var much = PutCost.of(layout(64, 1, 4096, 64, 8), LOAD, 5000);

    assertThat(little.primaries()).isGreaterThan(50);
    assertThat(little.copyCommits()).isBetween(1.7, 2.0);
    assertThat(much.copyCommits()).as("1 MB of bodies, 64 kB each").isBetween(16.0, 18.0);
  }

  @Test
  void aSecondCopyIsWrittenAsTheFirst() {
    var layout = layout(64, 1, 4096, 64, 8);

    assertThat(PutCost.of(layout, new Load(1000, 600, 2), 100).copyCommits())
        .isCloseTo(2 * PutCost.of(layout, LOAD, 100).copyCommits(), within(1e-9));
  }

  @Test
  void connectionsToAServerGrowWithTasksAndNotWithClusters() {
    var some = of(layout(2, 1, 4096, 64, 8)).toMaster();
    var moreClusters = of(layout(64, 1, 4096, 64, 8)).toMaster();
    var moreTasks = of(layout(2, 1, 4096, 64, 16)).toMaster();

    assertThat(moreClusters).isEqualTo(some);
    assertThat(some.sinkMost()).as("pools of four").isEqualTo(32);
    assertThat(moreTasks.sinkMost()).isEqualTo(64);
  }

  @Test
  void tasksWithoutAPartitionCostNoConnections() {
    assertThat(of(layout(2, 1, 64, 4, 16)).toMaster().sinkMost()).isEqualTo(16);
  }

  @Test
  void aWorkerHasConnectionsForEachTaskAndServerAndThreadsForEachTaskAndPrimary() {
    var one = of(layout(64, 1, 4096, 64, 8));
    var half = of(layout(64, 1, 4096, 64, 4));
    var shared = of(withWorkers(layout(64, 1, 4096, 64, 8), 2));

    assertThat(one.worker().connectionsMost()).isGreaterThanOrEqualTo(8 * 128 * 4);
    assertThat(one.worker().threads() - half.worker().threads()).isGreaterThan(4 * 64);
    assertThat(shared.worker().connectionsMost())
        .isCloseTo(one.worker().connectionsMost() / 2, within(1e-6));
  }

  @Test
  void aTasksThreadsGrowWithPrimariesAndCopiesAndNotWithServers() {
    double none = of(layout(64, 0, 4096, 64, 8)).worker().threads();
    double two = of(layout(64, 2, 4096, 64, 8)).worker().threads();
    double copies =
        Capacity.of(layout(64, 0, 4096, 64, 8), new Load(1000, 600, 2), Limits.USUAL)
            .worker()
            .threads();

    assertThat(two).as("one thread looks after the pools of all servers").isEqualTo(none);
    assertThat(copies - none)
        .as("what all primaries have goes to two")
        .isCloseTo(8 * 2, within(1e-6));
  }

  @Test
  void whatIsReapedGrowsWithWhatIsThereAndNotWithWhatThereCouldBe() {
    var layout = layout(64, 1, 4096, 64, 8);
    var little = Capacity.of(layout, new Load(1, 600, 1), Limits.USUAL);
    var much = Capacity.of(layout, new Load(20_000, 600, 1), Limits.USUAL);

    assertThat(little.mysql().reapCommits() * 64)
        .as("a cell, and how far each other cluster's lane of its partition was read")
        .isLessThan(70);
    assertThat(much.reap().seconds()).isGreaterThan(little.reap().seconds());
  }

  @Test
  void aPassReapsInOneTransactionOfEachSecondary() {
    var layout = layout(64, 1, 4096, 64, 8);
    var reap = Capacity.of(layout, LOAD.at(10_000), Limits.USUAL).reap();

    assertThat(reap.transactions()).isGreaterThan(30).isLessThanOrEqualTo(64);
    assertThat(reap.deletes()).isGreaterThan(10 * 64).isLessThanOrEqualTo(64 * 63);
    assertThat(reap.seconds()).isLessThan(5);
  }

  @Test
  void aTransactionReapsNoMoreThanAThousandCopies() {
    var layout = layout(2, 1, 4096, 4096, 1);
    var reap = Capacity.of(layout, LOAD.at(100_000), Limits.USUAL).reap();

    assertThat(reap.transactions()).isGreaterThan(4);
  }

  @Test
  void nothingIsReapedWithoutMinions() {
    assertThat(of(layout(4, 0, 64, 16, 2)).mysql().reapCommits()).isZero();
  }

  @Test
  void aTaskThatCanNotKeepUpIsNamedWithWhatToDo() {
    var capacity = Capacity.of(layout(4, 1, 64, 16, 1), new Load(1e6, 600, 1), Limits.USUAL);

    assertThat(bound(capacity, "sink_busy").exceeded()).isTrue();
    assertThat(bound(capacity, "sink_busy").nextStep()).contains("tasks.max");
  }

  @Test
  void tooManyTasksForAServerAreNamedWithTheSettingThatAllowsThem() {
    var first = of(layout(4, 1, 4096, 64, 64)).bounds().get(0);

    assertThat(first.name()).startsWith("connections_of_");
    assertThat(first.exceeded()).isTrue();
    assertThat(first.nextStep()).contains("max_connections");
  }

  @Test
  void theFirstLimitIsReachedAtTheLoadThatIsToldAndNotBelowIt() {
    var capacity = of(layout(4, 1, 64, 16, 2));
    double most = capacity.mostCells().orElseThrow();

    assertThat(exceeded(capacity, most * 0.99)).isFalse();
    assertThat(exceeded(capacity, most * 1.01)).isTrue();
  }

  @Test
  void aTaskIsBusierAndItsPutsLargerWhenMoreComes() {
    var calm = Capacity.of(layout(4, 1, 64, 16, 2), new Load(100, 600, 1), Limits.USUAL).pace();
    var busy = Capacity.of(layout(4, 1, 64, 16, 2), new Load(10_000, 600, 1), Limits.USUAL).pace();

    assertThat(busy.busy()).isGreaterThan(calm.busy());
    assertThat(busy.put().cells()).isGreaterThan(calm.put().cells());
    assertThat(busy.put().cells() * busy.puts()).isCloseTo(5000, within(1.0));
  }

  @Test
  void peersCellsCountForDisksAndNetwork() {
    var alone = of(layout(2, 1, 64, 16, 2));
    var three = of(withDatacenters(layout(2, 1, 64, 16, 2), 3));

    assertThat(three.mysql().entityBytes()).isCloseTo(3 * alone.mysql().entityBytes(), within(1.0));
    assertThat(alone.network().betweenOverKafka()).isZero();
    assertThat(three.network().betweenOverKafka()).isEqualTo(2 * 3 * 1000 * 600);
  }

  @Test
  void everyFigureHasANameOfItsOwnAndStandsInTheDocument() {
    var capacity = of(layout(64, 1, 4096, 64, 8));
    var names =
        capacity.sections().stream()
            .map(Section::figures)
            .flatMap(List::stream)
            .map(Figure::name)
            .toList();

    assertThat(names).doesNotHaveDuplicates();
    assertThat(capacity.document()).containsKeys(names.toArray(String[]::new));
    assertThat((List<?>) capacity.document().get("bounds"))
        .hasSize(capacity.bounds().size())
        .allSatisfy(bound -> assertThat(((Map<?, ?>) bound).get("next")).isNotNull());
  }

  @Test
  void aLayoutThatCanNotBeIsRefusedWithTheRule() {
    assertThatThrownBy(() -> layout(1, 1, 64, 16, 2))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("at least 2");
    assertThatThrownBy(() -> new Load(0, 600, 1)).hasMessageContaining("rate");
  }

  @Test
  void noMoreCopiesAreCountedThanOtherClustersCanHold() {
    var three = layout(3, 1, 64, 16, 2);

    assertThat(Capacity.of(three, new Load(1000, 600, 2), Limits.USUAL).load().copies())
        .isEqualTo(2);
    assertThatThrownBy(() -> Capacity.of(three, new Load(1000, 600, 3), Limits.USUAL))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("copies: 3, and at most 2 with 3 clusters");
  }

  private static double commitsOfCell(int clusters) {
    var load = LOAD.at(100_000);
    var mysql = Capacity.of(layout(clusters, 1, 4096, 64, 8), load, Limits.USUAL).mysql();
    return clusters * mysql.commits() / load.rate();
  }

  private static boolean exceeded(Capacity capacity, double rate) {
    return Capacity.of(capacity.layout(), LOAD.at(rate), capacity.limits()).bounds().stream()
        .anyMatch(Bound::exceeded);
  }

  private static Bound bound(Capacity capacity, String name) {
    return capacity.bounds().stream().filter(b -> b.name().equals(name)).findFirst().orElseThrow();
  }

  private static Capacity of(Layout layout) {
    return Capacity.of(layout, LOAD, Limits.USUAL);
  }

  private static Layout layout(int clusters, int minions, int shards, int partitions, int tasks) {
    return new Layout(1, clusters, minions, new Shards(shards, partitions), tasks, 0, 1, 0, 1, 1);
  }

  private static Layout withWorkers(Layout l, int workers) {
    return new Layout(1, l.clusters(), l.minions(), l.shards(), l.tasks(), 0, workers, 0, 1, 1);
  }

  private static Layout withDatacenters(Layout l, int count) {
    return new Layout(count, l.clusters(), l.minions(), l.shards(), l.tasks(), 0, 1, 0, 1, 1);
  }
}
