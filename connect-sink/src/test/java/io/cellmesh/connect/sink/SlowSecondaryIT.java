package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.base.DaemonThreads;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.SqlBufferStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One of two secondaries answers, and takes two seconds for each copy. */
class SlowSecondaryIT {
  private static final int COPIES = 40;

  @TempDir static Path dir;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private DevStack stack;
  private Topology topology;
  private Nodes nodes;
  private SinkMetrics metrics;
  private CopyWriter writer;

  @BeforeEach
  void start() throws Exception {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir.resolve("stack"))
                .withDatacenters(1)
                .withClusters(3)
                .withMinions(0)
                .withInstance("trips", 3, 1)
                .withoutKafka(),
            Progress.silent());
    topology = stack.topology("dc1");
    var pools = new Pools(new Credentials("root", ""), MySqlOptions.DEFAULT.withMultiStatements());
    for (var cluster : topology.clusters()) {
      new InstanceSchema(topology, pools).create(cluster, made -> {});
    }
    nodes = new Nodes(pools);
    metrics = new SinkMetrics(MetricsHome.nowhere(), topology);
    writer =
        new CopyWriter(
            topology,
            nodes,
            new SqlBufferStore(topology, nodes),
            new Random(10),
            new DaemonThreads(threads),
            metrics);
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
    nodes.close();
    metrics.close();
    stack.close();
  }

  @Test
  void a_slow_secondary_delays_hardly_a_copy_and_keeps_its_share_when_it_is_fast_again()
      throws Exception {
    var primary = topology.cluster("c1");
    send(primary, 10);
    var slow = stack.cluster("dc1", "c2").master();
    slow.execute(
        "CREATE TRIGGER trips_meta.slow BEFORE INSERT ON trips_meta.buffer FOR EACH ROW SET @slept = SLEEP(2)");
    // Again where this machine is so busy that copies take long by themselves.
    await()
        .atMost(60, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              var times = send(primary, COPIES);
              // The first that met it waited until it was late; all others went elsewhere.
              assertThat(times)
                  .as("milliseconds a copy took beside a secondary that takes 2,000")
                  .allMatch(millis -> millis < 1500);
              assertThat(times.stream().filter(millis -> millis > 150).count())
                  .as("delayed copies of %s", times)
                  .isLessThanOrEqualTo(COPIES / 4);
            });
    slow.execute("DROP TRIGGER trips_meta.slow");
    int before = copies(slow);
    await("copies drawn to it again")
        .atMost(60, TimeUnit.SECONDS)
        .pollInterval(1, TimeUnit.SECONDS)
        .until(
            () -> {
              send(primary, 2);
              return copies(slow) > before + 3;
            });
  }

  private List<Long> send(StorageCluster primary, int count) {
    var times = new ArrayList<Long>();
    for (int i = 0; i < count; i++) {
      var copy = new Copy(primary.name(), IngestTopic.CELLS, 0, i, new Mark(i + 1, 7), List.of());
      long begin = System.nanoTime();
      assertThat(writer.delivery(primary, List.of(copy), Set.of()).to(1).join()).hasSize(1);
      times.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }
    return times;
  }

  private static int copies(MySqlServer server) {
    return Integer.parseInt(server.query("SELECT COUNT(*) FROM trips_meta.buffer"));
  }
}
