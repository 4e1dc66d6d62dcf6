package io.cellmesh.e2e.restored;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.Mortal;
import io.cellmesh.e2e.UnderTarget;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.mesh.DataCenterReturn;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data centre of two, all of whose servers come from a backup, and whose way back is killed
 * behind each of its steps. Of half of what it has lost no topic has anything any more.
 */
@Tag("full")
class KilledReturnIT {
  /** Partitions of which the other data centre's topics have lost all. */
  private static final Set<Integer> EXPIRED = Set.of(0, 1);

  /** Under target, so that its logs are there when a test has failed. */
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  static Path state;

  private Stack stack;
  private RestoredPair pair;

  @Test
  void killed_behind_each_step_and_run_again_it_goes_on_and_ends_equal() throws Exception {
    var options = new StackOptions(Optional.of(state), 2, 8, 4, List.of());
    try (var started = Stack.start(options, Command.silent().steps())) {
      stack = started;
      pair = new RestoredPair(state, started);
      loseAllOfDc2();
      var before = pair.origins("dc2");
      restoreDc2();

      var lost = DataCenterReturn.of(stack.deployment(), "dc2").findings();
      assertThat(lost).hasSize(2);
      assertThat(lost.get(0)).startsWith("dc2 went back in time").contains("in 8 shards");
      assertThat(lost.get(1))
          .isEqualTo(
              "dc2 lacks cells of dc2 in 4 shards, of which no topic has all any more: they are read from entity tables");
      var moments = new LinkedHashSet<String>();
      var told = run(moments);
      for (var cluster : List.of("c1", "c2")) {
        var master = topology().cluster(cluster).master().address();
        assertThat(moments)
            .contains(
                "after %s gets an epoch".formatted(master),
                "after the log of %s goes on behind what %s has".formatted(cluster, master),
                "after open %s for writes".formatted(master));
      }
      assertThat(moments)
          .contains(
              "after the sink of dc2 takes the mesh alone",
              "in the middle of its added_ids go on in the range of an epoch",
              "after its added_ids go on in the range of an epoch",
              "after the other clusters learn of an epoch",
              "after the connectors get the topology",
              "in the middle of lost cells come to the mesh topic of dc2",
              "after lost cells come to the mesh topic of dc2",
              "in the middle of its tables have them",
              "after its tables have them",
              "after the sink takes what producers write");
      assertThat(told)
          .singleElement()
          .asString()
          .startsWith("trips.cells no longer has all that comes behind the backup");
      assertThat(pair.origins("dc2"))
          .as("the same cells, ids and all")
          .containsAllEntriesOf(RestoredPair.own(before));
      allHaveTheMapThatTheFileHas();

      accept();
      pair.load("dc2", 5, 100);
      pair.load("dc1", 6, 50);
      pair.awaitSettled();
      assertThat(pair.origins("dc2")).containsAllEntriesOf(before).isEqualTo(pair.origins("dc1"));
      pair.agree("mesh", "status", "--tables");
      pair.agree("mesh", "status");
      assertThat(DataCenterReturn.of(stack.deployment(), "dc2").findings()).isEmpty();
    }
  }

  /** What it writes behind the backup stands in dc1, and of half of it in dc1's tables alone. */
  private void loseAllOfDc2() throws Exception {
    pair.load("dc1", 1, 100);
    pair.load("dc2", 2, 200);
    pair.awaitSettled();
    pair.backup("c1");
    pair.backup("c2");
    pair.load("dc2", 3, 200);
    pair.load("dc1", 4, 50);
    pair.awaitSettled();
    pair.cut("dc2", "trips.cells");
    pair.cut("dc2", "trips.log");
    pair.cut("dc1", "trips.mesh", EXPIRED);
    pair.cut("dc1", "trips.log", EXPIRED);
  }

  private void restoreDc2() throws Exception {
    pair.restore();
    for (var cluster : List.of("c1", "c2")) {
      RestoredPair.anotherServer(stack.devStack().cluster("dc2", cluster).master());
    }
  }

  /**
   * Runs it until one comes to its end.
   *
   * @param moments where others have ended before
   * @return what the last one says
   */
  private List<String> run(Set<String> moments) throws Exception {
    while (true) {
      try {
        return DataCenterReturn.of(stack.deployment(), "dc2").run(0, Mortal.atNewMoment(moments));
      } catch (Mortal.Killed e) {
        moments.add(e.moment());
      }
    }
  }

  private void allHaveTheMapThatTheFileHas() throws Exception {
    var connect = ConnectClients.of(pair.datacenter("dc2"));
    var maps = new TreeMap<String, Topology>();
    for (var name : connect.connectors()) {
      maps.put(name, TopologyYaml.parse(connect.config(name).get("topology")));
    }
    assertThat(maps).isNotEmpty();
    assertThat(maps.values()).allMatch(topology()::equals);
    assertThat(topology().clusters()).allMatch(cluster -> cluster.epoch() > 1);
    assertThat(connect.config("trips-sink")).containsEntry("topics", "trips.cells,trips.mesh");
  }

  private void accept() {
    var accepted =
        Command.on(state, "ingest", "accept", "--dc", "dc2", "--topic", "trips.cells", "--yes");
    assertThat(accepted.exit()).as(accepted.out() + accepted.err()).isZero();
  }

  private Topology topology() throws IOException {
    return pair.datacenter("dc2").store().read();
  }
}
