package io.cellmesh.e2e.restored;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.UnderTarget;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data centre of two, one of whose storage clusters comes from a backup, server_uuid and all,
 * after its ingest topic and its log have lost what came behind that: only the other one has it.
 */
@Tag("full")
class RestoredDataCenterIT {
  /** Under target, so that its logs are there when a test has failed. */
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  static Path state;

  private RestoredPair pair;

  @Test
  void it_is_told_and_gets_its_cells_back_under_the_ids_that_the_others_know() throws Exception {
    var options = new StackOptions(Optional.of(state), 2, 8, 4, List.of());
    try (var started = Stack.start(options, Command.silent().steps())) {
      pair = new RestoredPair(state, started);
      pair.load("dc1", 1, 100);
      pair.load("dc2", 2, 200);
      pair.awaitSettled();
      pair.backup("c1");
      pair.load("dc2", 3, 200);
      pair.load("dc1", 4, 50);
      pair.awaitSettled();
      var before = pair.origins("dc2");
      pair.cut("dc2", "trips.cells");
      pair.cut("dc2", "trips.log");
      pair.restore();

      var told = Command.on(state, "mesh", "status");
      assertThat(told.exit()).as(told.out() + told.err()).isEqualTo(1);
      assertThat(told.out())
          .containsPattern(
              "dc2 went back in time: of its own cells its tables have [\\d,]+ of the [\\d,]+ that"
                  + " dc1 has, and lack some in [1-4] shards?")
          .contains("`cellmesh dc back dc2` brings them back");
      assertThat(Command.on(state, "status").out()).contains("dc2 went back in time");
      assertThat(pair.promote("c1").exit()).as("nobody opens it as it is").isEqualTo(1);
      var reused = Command.on(state, "dc", "back", "dc2");
      assertThat(reused.exit()).as(reused.out()).isEqualTo(1);
      assertThat(reused.err()).contains("server_uuid and all", "delete auto.cnf");

      RestoredPair.anotherServer(started.devStack().cluster("dc2", "c1").master());
      var lost = Command.on(state, "dc", "back", "dc2");
      assertThat(lost.exit()).as(lost.out() + lost.err()).isEqualTo(1);
      assertThat(lost.out()).contains("dc2 went back in time");
      assertThat(lost.err()).contains("say --yes to bring dc2 back");
      assertThat(pair.origins("dc2").size()).as("nothing was changed").isLessThan(before.size());

      var back = Command.on(state, "dc", "back", "dc2", "--yes");
      assertThat(back.out())
          .contains("dc2 is back; the links to it go on")
          .contains("trips.cells no longer has all that comes behind the backup");
      assertThat(pair.origins("dc2"))
          .as("the same cells, ids and all")
          .containsAllEntriesOf(RestoredPair.own(before));
      var accepted =
          Command.on(state, "ingest", "accept", "--dc", "dc2", "--topic", "trips.cells", "--yes");
      assertThat(accepted.exit()).as(accepted.out() + accepted.err()).isZero();

      pair.load("dc2", 5, 100);
      pair.awaitSettled();
      assertThat(pair.origins("dc2")).containsAllEntriesOf(before).isEqualTo(pair.origins("dc1"));
      pair.agree("mesh", "status", "--tables");
      pair.agree("mesh", "status");
      leaveTheSinkWithTheMeshAlone();
      var again = Command.on(state, "dc", "back", "dc2");
      assertThat(again.exit()).as(again.out() + again.err()).isZero();
      pair.load("dc2", 6, 20);
      pair.awaitSettled();
      assertThat(pair.promote("c1").exit()).as("it is a master as any other").isZero();
    }
  }

  /** As one does that is interrupted before its last step. */
  private void leaveTheSinkWithTheMeshAlone() throws IOException {
    var connect = ConnectClients.of(pair.datacenter("dc2"));
    var settings = new HashMap<>(connect.config("trips-sink"));
    settings.put("topics", "trips.mesh");
    connect.put("trips-sink", settings);
  }
}
