package io.cellmesh.e2e.joining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.e2e.Command;
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
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.storage.EntityCounts;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
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
  private static final int SHARDS = 8;

  /** Over HTTP dc2 reads dc1, and dc1 dc2. */
  private static final int DC1_PORT = DevStack.freePort();

  private static final int DC2_PORT = DevStack.freePort();

  /** Under target, so that its logs are there when a test has failed. */
  @TempDir(factory = UnderTarget.class, cleanup = CleanupMode.ON_SUCCESS)
  static Path state;

  private static DevStack servers;
  private static Path all;

  @BeforeAll
  static void start() throws Exception {
    servers =
        DevStack.start(
            Options.defaults()
                .withStateDir(state.resolve("servers"))
                .withInstance("trips", SHARDS, 4)
                .withDatacenters(3)
                .withMinions(0)
                .withWorkerSetting("offset.flush.interval.ms", "1000")
                .withPlugins(StackOptions.plugins(HOME)),
            Progress.silent());
    all = file("all.yaml", entry("dc1", "dc1"), entry("dc2", "dc2"));
    run("instance", "create", "--deployment", all.toString(), "--dc", "dc1");
    run("connectors", "apply", "--deployment", all.toString(), "--dc", "dc1");
    herb("dc1", "dc1");
    load("dc1", 1, 200);
    await().atMost(PATIENCE).until(() -> log("dc1").retained() >= cells("dc1"));
    cutInTheMiddle("dc1");
  }

  @AfterAll
  static void stop() {
    servers.close();
  }

  @Test
  @Order(1)
  void a_peer_that_does_not_answer_is_named_with_the_next_step_and_nothing_is_made()
      throws Exception {
    var unknown =
        entry("dc1", "dc1").replaceFirst("bootstrap: \"[^\"]*\"", "bootstrap: \"127.0.0.1:1\"");
    var away = file("away.yaml", unknown, entry("dc2", "dc2"));
    assertThatThrownBy(() -> joining(away, new Mortal()).run())
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("dc1: Kafka at 127.0.0.1:1")
        .hasMessageContaining("once that is mended run the same again");
    try (var admin = Consumers.admin(dc("dc2").kafka())) {
      assertThat(admin.listTopics().names().get()).noneMatch(name -> name.startsWith("trips."));
    }
  }

  @Test
  @Order(2)
  void killed_at_each_step_and_run_again_it_goes_on_and_says_what_it_finds() throws Exception {
    herb("dc2", "dc2");
    var moments = new ArrayList<String>();
    List<LinkProof> proofs = List.of();
    var life = new Mortal();
    var told = new ArrayList<String>();
    for (int n = 0; proofs.isEmpty(); n++) {
      life = new Mortal(n);
      told.clear();
      try {
        proofs = joining(all, life, told).run();
      } catch (Killed e) {
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
    assertThat(life.results)
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
    for (int shard = 0; shard < SHARDS; shard++) {
      next.add(last(shard) + 1);
    }
    load("dc1", 6, 30);
    load("dc2", 3, 30);
    await().atMost(PATIENCE).until(() -> cells("dc1") == cells("dc2"));
    var hidden = entry("dc1", "dc1").replaceFirst("    kafka: .*\n", "");
    var far = Deployment.read(file("far.yaml", hidden, entry("dc2", "dc2")));
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
    for (int shard = 0; shard < SHARDS; shard++) {
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
    servers.app("dc2-herb").stop();
    servers.worker("dc2").stop();
    servers.broker("dc2").stop();
    servers.clusters("dc2").forEach(cluster -> cluster.master().stop());

    var loss = DataCenterLoss.of(Deployment.read(all), "dc2");
    assertThat(loss.run("anna", OperationListener.silent())).isEmpty();
    var again = file("again.yaml", entry("dc1", "dc1"), entry("dc2", "dc3"));
    assertThatThrownBy(() -> joining(again, new Mortal()).run())
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("dc2 is given up as lost")
        .hasMessageContaining("`cellmesh dc remove dc2 --yes` first");
    new DataCenterRemoval(loss).run(OperationListener.silent());

    Files.copy(again, all, StandardCopyOption.REPLACE_EXISTING);
    servers.app("dc1-herb").restart();
    herb("dc2", "dc2-again");
    var life = new Mortal();
    var told = new ArrayList<String>();
    var proofs = joining(all, life, told).run();
    assertThat(proofs).allMatch(LinkProof::agrees);
    assertThat(life.results)
        .contains(
            "dc2: one of its name had written cells, which its peers have given back in 8 shards");
    assertThat(told)
        .anyMatch(
            text -> text.startsWith("link dc1 from dc2 begins anew: it was given up as lost"));
    assertThat(cells("dc2")).isEqualTo(before);

    load("dc2", 4, 30);
    load("dc1", 5, 30);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(cells("dc2")).isGreaterThan(before).isEqualTo(cells("dc1"));
            });
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(MeshProof.of(Deployment.read(all), true)).allMatch(LinkProof::agrees));
    var verified = Command.run("verify", "--deployment", all.toString());
    assertThat(verified.exit()).as(verified.out() + verified.err()).isZero();
  }

  /** Ends whoever hears it, as a kill does: nothing of the product catches it. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed(String at) {
      super(at);
    }
  }

  /** A listener that ends a joining at one of its moments. */
  private static final class Mortal implements OperationListener {
    private final List<String> results = new ArrayList<>();
    private final Set<String> halves = ConcurrentHashMap.newKeySet();
    private volatile Killed killed;
    private int left;

    Mortal() {
      this(Integer.MAX_VALUE);
    }

    Mortal(int moments) {
      this.left = moments;
    }

    @Override
    public <T> T call(String label, Work<T> work) throws Exception {
      moment("before " + label);
      try {
        return work.run(
            new Step() {
              @Override
              public void detail(String text) {
                // Nobody follows.
              }

              @Override
              public void progress(long done, long total) {
                if (done * 2 >= total && halves.add(label)) {
                  moment("in the middle of " + label);
                }
              }

              @Override
              public void result(String text) {
                results.add(text);
              }
            });
      } finally {
        // What a thread of the work's own has thrown may have become something else.
        if (killed != null) {
          throw killed;
        }
        moment("after " + label);
      }
    }

    private void moment(String what) {
      if (left-- == 0) {
        killed = new Killed(what);
        throw killed;
      }
    }
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

  /** A deployment of some data centres. */
  private static Path file(String name, String... entries) throws IOException {
    return Files.writeString(
        state.resolve(name), "instance: trips\ndatacenters:\n" + String.join("", entries));
  }

  /**
   * A data centre of a deployment.
   *
   * @param of whose servers it has
   */
  private static String entry(String name, String of) throws IOException {
    var topology = state.resolve("%s-of-%s.yaml".formatted(name, of));
    Files.writeString(
        topology,
        Files.readString(servers.topologyFile(of))
            .replaceFirst("(?m)^datacenter: .*$", "datacenter: " + name));
    return """
          - name: %s
            topology: "%s"
            kafka: {bootstrap: "%s"}
            connect: {url: "%s"}
            mysql: {user: root}
            connectors: {user: root}
        %s"""
        .formatted(
            name,
            topology,
            servers.broker(of).bootstrap(),
            servers.worker(of).url(),
            mesh(name).indent(4));
  }

  private static String mesh(String name) {
    var text =
        "mesh: {serve: {port: %d, allow: [%s]}, peers: {%2$s: {transport: http, url: \"http://127.0.0.1:%d\"}}}";
    return switch (name) {
      case "dc1" -> text.formatted(DC1_PORT, "dc2", DC2_PORT);
      case "dc2" -> text.formatted(DC2_PORT, "dc1", DC1_PORT);
      default -> "";
    };
  }

  private static void herb(String dc, String name) {
    servers.startApp(
        new JavaApp.Spec(
            name + "-herb",
            CellmeshHome.application(HOME, "herb-replicator"),
            "io.cellmesh.herb.HerbReplicatorMain",
            List.of("--deployment", all.toString(), "--dc", dc, "--health-port", "0"),
            Map.of(),
            List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")));
  }

  private static void run(String... args) {
    var ran = Command.run(args);
    assertThat(ran.exit()).as(ran.out() + ran.err()).isZero();
  }

  private static void load(String dc, int seed, int trips) {
    run(
        "load",
        "--deployment",
        all.toString(),
        "--dc",
        dc,
        "--seed",
        Integer.toString(seed),
        "--trips",
        Integer.toString(trips));
  }

  private static DataCenter dc(String name) throws IOException {
    return Deployment.read(all).datacenter(Optional.of(name));
  }

  private static long cells(String name) throws Exception {
    var dc = dc(name);
    try (var pools = new Pools(dc.operator())) {
      return EntityCounts.byShard(dc.topology(), pools).values().stream()
          .mapToLong(Long::longValue)
          .sum();
    }
  }

  private static TopicOffsets log(String name) throws IOException {
    try (var client = Consumers.open(dc(name).kafka())) {
      return TopicOffsets.of(client, "trips.log");
    }
  }

  private static void cutInTheMiddle(String name) throws Exception {
    var log = log(name);
    var deletions = new HashMap<TopicPartition, RecordsToDelete>();
    for (int partition = 0; partition < log.partitions(); partition++) {
      deletions.put(log.partition(partition), RecordsToDelete.beforeOffset(log.end(partition) / 2));
    }
    try (var admin = Consumers.admin(dc(name).kafka())) {
      admin.deleteRecords(deletions).all().get();
    }
  }

  /** The highest added_id of a shard of dc1. */
  private static long last(int shard) throws Exception {
    var dc = dc("dc1");
    try (var pools = new Pools(dc.operator())) {
      return pools.ask(
          dc.topology().clusterOf(shard).master(),
          connection -> {
            try (var statement = connection.createStatement();
                var row =
                    statement.executeQuery(
                        "SELECT MAX(added_id) FROM trips_%04d.entity".formatted(shard))) {
              row.next();
              return row.getLong(1);
            }
          });
    }
  }
}
