package io.cellmesh.e2e.joining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.Mortal;
import io.cellmesh.e2e.UnderTarget;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.operations.mesh.CellComparison;
import io.cellmesh.operations.mesh.CellDifference;
import io.cellmesh.operations.mesh.DataCenterLoss;
import io.cellmesh.operations.mesh.DataCenterRemoval;
import io.cellmesh.operations.mesh.IdRange;
import io.cellmesh.operations.mesh.LinkProof;
import io.cellmesh.operations.mesh.MeshProof;
import io.cellmesh.operations.mesh.joining.Joining;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.topics.Consumers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data centre that joins another one, both real and their links over HTTP: killed at each of its
 * steps, in error, and again under its name after it was removed. The servers of dc3 are those that
 * take dc2's name then.
 */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class JoiningStepsIT {
  private static final Path HOME = StateDirectory.home();
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Under target, so that its logs are there when a test has failed. */
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  static Path state;

  private static PairOverHttp pair;

  @BeforeAll
  static void start() throws Exception {
    pair = PairOverHttp.start(state);
    var all = pair.all().toString();
    Command.run("instance", "create", "--deployment", all, "--dc", "dc1").succeeded();
    Command.run("connectors", "apply", "--deployment", all, "--dc", "dc1").succeeded();
    pair.startHerb("dc1", "dc1");
    long loaded = pair.load("dc1", 1, 200);
    await().atMost(PATIENCE).until(() -> pair.cells("dc1").log().retained() >= loaded);
    pair.cells("dc1").cutLogInTheMiddle();
  }

  @AfterAll
  static void stop() {
    pair.close();
  }

  @Test
  @Order(1)
  void a_peer_that_does_not_answer_is_named_with_the_next_step_and_nothing_is_made()
      throws Exception {
    var unknown =
        pair.entry("dc1", "dc1")
            .replaceFirst("bootstrap: \"[^\"]*\"", "bootstrap: \"127.0.0.1:1\"");
    var away = pair.file("away.yaml", unknown, pair.entry("dc2", "dc2"));
    assertThatThrownBy(() -> joining(away, Mortal.immortal()).run())
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("dc1: Kafka at 127.0.0.1:1")
        .hasMessageContaining("once that is mended run the same again");
    try (var admin = Consumers.admin(pair.cells("dc2").dc().kafka())) {
      assertThat(admin.listTopics().names().get()).noneMatch(name -> name.startsWith("trips."));
    }
  }

  @Test
  @Order(2)
  void killed_at_each_step_and_run_again_it_goes_on_and_says_what_it_finds() throws Exception {
    pair.startHerb("dc2", "dc2");
    var moments = new ArrayList<String>();
    List<LinkProof> proofs = List.of();
    var life = Mortal.immortal();
    var told = new ArrayList<String>();
    for (int n = 0; proofs.isEmpty(); n++) {
      life = Mortal.of(n);
      told.clear();
      try {
        proofs = joining(pair.all(), life, told).run();
      } catch (Mortal.Killed e) {
        moments.add(e.getMessage());
      }
    }
    assertThat(moments)
        .contains(
            "after compare dc2 with its peers",
            "before topics of dc2",
            "after topics of dc2",
            "in the middle of databases of dc2",
            "after what dc2 has written before",
            "before connectors of dc2",
            "after connectors of dc2",
            "after reach every part of all data centres",
            "before seed of dc1 for dc2",
            "in the middle of seed of dc1 for dc2",
            "after seed of dc1 for dc2",
            "after dc2 gets the cells of its peers")
        .doesNotHaveDuplicates();
    assertThat(life.results())
        .anyMatch(text -> text.matches("topics of dc2: all \\d+ are there"))
        .contains(
            "databases of dc2: all 8 are there",
            "dc2 lacks no cell of its own",
            "connectors of dc2: all are there");
    assertThat(told)
        .contains(
            "dc1: its log has all that dc2 has to read, so there is no seed",
            "trips.seed.dc2 of dc1 is deleted");
    assertThat(proofs).allMatch(LinkProof::agrees);
    assertThat(cells("dc2")).isEqualTo(cells("dc1"));
  }

  @Test
  @Order(3)
  void data_centres_of_which_one_hides_its_brokers_are_compared_over_http() throws Exception {
    var next = new ArrayList<Long>();
    for (int shard = 0; shard < PairOverHttp.SHARDS; shard++) {
      next.add(pair.cells("dc1").last(shard) + 1);
    }
    awaitBoth(cells("dc1") + pair.load("dc1", 6, 30) + pair.load("dc2", 3, 30));
    var hidden = pair.entry("dc1", "dc1").replaceFirst("    kafka: .*\n", "");
    var far = Deployment.read(pair.file("far.yaml", hidden, pair.entry("dc2", "dc2")));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              var proofs = MeshProof.of(far, false);
              assertThat(proofs).hasSize(2).allMatch(LinkProof::agrees);
              assertThat(proofs)
                  .allSatisfy(
                      link -> assertThat(link.verdict().orElseThrow().agreed()).isPositive());
            });
    var comparison =
        new CellComparison(
            far.datacenter(Optional.of("dc1")), far.datacenter(Optional.of("dc2")), FoldSource.LOG);
    for (int shard = 0; shard < PairOverHttp.SHARDS; shard++) {
      assertThat(comparison.of(List.of(new IdRange(shard, next.get(shard), Long.MAX_VALUE))))
          .filteredOn(CellDifference::wrong)
          .as("shard %d", shard)
          .isEmpty();
    }
  }

  @Test
  @Order(4)
  void one_of_its_name_joins_again_after_it_was_removed_and_has_what_it_had() throws Exception {
    await().atMost(PATIENCE).until(() -> cells("dc1") == cells("dc2"));
    long before = cells("dc1");
    pair.servers().lose("dc2");

    var loss = DataCenterLoss.of(Deployment.read(pair.all()), "dc2");
    assertThat(loss.run("anna", 0, OperationListener.silent())).isEmpty();
    var again = pair.file("again.yaml", pair.entry("dc1", "dc1"), pair.entry("dc2", "dc3"));
    assertThatThrownBy(() -> joining(again, Mortal.immortal()).run())
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("dc2 is given up as lost")
        .hasMessageContaining("`cellmesh dc remove dc2 --yes` first");
    new DataCenterRemoval(loss).run(OperationListener.silent());

    Files.copy(again, pair.all(), StandardCopyOption.REPLACE_EXISTING);
    pair.servers().stack().app("dc1-herb").restart();
    pair.startHerb("dc2", "dc2-again");
    var life = Mortal.immortal();
    var told = new ArrayList<String>();
    var proofs = joining(pair.all(), life, told).run();
    assertThat(proofs).allMatch(LinkProof::agrees);
    assertThat(life.results())
        .contains(
            "dc2: one of its name had written cells, which its peers have given back in 8 shards");
    assertThat(told)
        .anyMatch(
            text -> text.startsWith("link dc1 from dc2 begins anew: it was given up as lost"));
    assertThat(cells("dc2")).isEqualTo(before);

    awaitBoth(before + pair.load("dc2", 4, 30) + pair.load("dc1", 5, 30));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(MeshProof.of(Deployment.read(pair.all()), true))
                    .allMatch(LinkProof::agrees));
    var verified = Command.run("verify", "--deployment", pair.all().toString());
    assertThat(verified.exit()).as(verified.out() + verified.err()).isZero();
  }

  private static Joining joining(Path file, Mortal life) throws IOException {
    return joining(file, life, new ArrayList<>());
  }

  private static Joining joining(Path file, Mortal life, List<String> told) throws IOException {
    var deployment = Deployment.read(file);
    return new Joining(
        deployment,
        deployment.datacenter(Optional.of("dc2")),
        new Joining.Settings((short) 1, 0, HOME.resolve("connectors")),
        life,
        told::add);
  }

  private static void awaitBoth(long cells) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(cells("dc1")).isEqualTo(cells);
              assertThat(cells("dc2")).isEqualTo(cells);
            });
  }

  private static long cells(String dc) throws Exception {
    return pair.cells(dc).count();
  }
}
