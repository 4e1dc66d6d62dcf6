package io.cellmesh.e2e.joining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.Seed;
import io.cellmesh.deployment.SeedTopic;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.UnderTarget;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.topics.Consumers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A third data centre that joins two real ones, whose logs were cut, while cells flow. */
@Tag("full")
class JoiningIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Under target, so that its logs are there when a test has failed. */
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  static Path state;

  private Stack stack;
  private Deployment deployment;

  @Test
  void it_gets_all_cells_though_logs_were_cut_and_the_command_was_killed_in_the_middle_of_a_seed()
      throws Exception {
    var options = new StackOptions(Optional.of(state), 3, 8, 4, List.of());
    try (var started = Stack.start(options, Command.silent().steps())) {
      stack = started;
      deployment = stack.deployment();
      forgetThatItEverRan();
      long given = load("dc1", 1, 1_500, 0) + load("dc2", 2, 300, 0);
      awaitLogged("dc1", given);
      awaitLogged("dc2", given);
      new WrittenCells(datacenter("dc1")).cutLogInTheMiddle();
      new WrittenCells(datacenter("dc2")).cutLogInTheMiddle();
      var load = CompletableFuture.supplyAsync(() -> load("dc1", 3, 600, 40));

      var killed = stack.devStack().startApp(add("dc-add-killed", "300"));
      await()
          .atMost(PATIENCE)
          .until(() -> seed("dc1").stream().anyMatch(part -> part.last().isPresent()));
      killed.kill();
      assertThat(seed("dc1")).as("killed in the middle").anyMatch(part -> !part.complete());

      stack.devStack().app("dc3-herb-replicator").start();
      var added = Command.run("dc", "add", "dc3", "--state", state.toString(), "--rate", "0");
      assertThat(added.exit()).as(added.out() + added.err()).isZero();
      assertThat(added.out())
          .contains("dc3 has joined")
          .contains("trips.seed.dc3 of dc1 is deleted")
          .contains("trips.seed.dc3 of dc2 is deleted");

      long all = given + load.join();
      for (var dc : List.of("dc1", "dc2", "dc3")) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(cells(dc)).isEqualTo(all));
      }
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                var agree = Command.on(state, "mesh", "status", "--tables");
                assertThat(agree.exit()).as(agree.out() + agree.err()).isZero();
              });
      var again = Command.run("dc", "add", "dc3", "--state", state.toString());
      assertThat(again.exit()).as("said again it finds that: " + again.err()).isZero();
      assertThat(again.out()).contains("dc1: its log has all that dc3 has to read");
    }
  }

  /** As if its herb-replicator had never been there. */
  private void forgetThatItEverRan() throws Exception {
    stack.devStack().app("dc3-herb-replicator").stop();
    for (var peer : List.of("dc1", "dc2")) {
      try (var admin = Consumers.admin(datacenter(peer).kafka())) {
        await()
            .atMost(PATIENCE)
            .ignoreExceptions()
            .untilAsserted(() -> admin.deleteConsumerGroups(List.of("trips-herb-dc3")).all().get());
      }
    }
    try (var admin = Consumers.admin(datacenter("dc3").kafka())) {
      admin.deleteTopics(List.of("trips.mesh-place")).all().get();
    }
  }

  private long load(String dc, int seed, int trips, int rate) {
    return Command.load(
        seed, trips, "--state", state.toString(), "--dc", dc, "--rate", Integer.toString(rate));
  }

  /** Until it has all cells, also in its log. */
  private void awaitLogged(String dc, long given) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(cells(dc)).isEqualTo(given);
              assertThat(new WrittenCells(datacenter(dc)).log().retained())
                  .isGreaterThanOrEqualTo(given);
            });
  }

  private List<Seed.Part> seed(String dc) throws InterruptedException {
    return new SeedTopic(datacenter(dc).kafka(), "trips.seed.dc3")
        .read()
        .map(Seed::parts)
        .orElse(List.of());
  }

  private long cells(String dc) throws Exception {
    return new WrittenCells(datacenter(dc)).count();
  }

  private JavaApp.Spec add(String name, String rate) {
    return new JavaApp.Spec(
        name,
        CellmeshHome.application(StateDirectory.home(), "cli"),
        "io.cellmesh.cli.Main",
        List.of("dc", "add", "dc3", "--state", state.toString(), "--rate", rate),
        Map.of(),
        List.of("-Xmx128m"));
  }

  private DataCenter datacenter(String name) {
    return deployment.datacenter(Optional.of(name));
  }
}
