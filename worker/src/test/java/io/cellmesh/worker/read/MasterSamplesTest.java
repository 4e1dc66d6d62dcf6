package io.cellmesh.worker.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.Position;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When masters are asked how far they are, over a clock and a master that the test moves. */
class MasterSamplesTest {
  private static final Topology TOPOLOGY = FakeServers.topology("mysql://n:1");
  private static final String MASTER = "m:1";
  private static final Map<Integer, Position> AT_SEVEN =
      Map.of(0, Position.START.with(IngestTopic.CELLS, new Mark(7, 0)));

  private final ShardMap map = new ShardMap(TOPOLOGY, TopologyStore.ofFile(Path.of("none")));
  private final Topology.StorageCluster cluster = TOPOLOGY.cluster("c1");
  private final FakeServers servers = new FakeServers();
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final MasterSamples samples = new MasterSamples(map, servers, now::get);

  @Test
  void a_masters_word_is_as_old_as_the_question_and_not_as_the_answer() {
    servers.hung.add(MASTER);
    servers.positions.put(MASTER, 7L);
    var sample = samples.fresh(cluster);
    later(Duration.ofMillis(900));
    servers.owed.get(0).answer().complete(servers.answer(MASTER, List.of(0)));
    assertThat(sample).isDone();
    later(Duration.ofMillis(100));
    assertThat(samples.staleUpTo(cluster, AT_SEVEN))
        .as("what was committed since the question is not in the answer")
        .contains(Duration.ofSeconds(1));
  }

  @Test
  void whoever_comes_while_the_master_is_asked_waits_for_that_answer() {
    servers.hung.add(MASTER);
    var first = samples.fresh(cluster);
    var second = samples.fresh(cluster);
    assertThat(servers.asked).containsExactly(MASTER);
    servers.owed.get(0).answer().complete(servers.answer(MASTER, List.of(0)));
    assertThat(List.of(first, second)).allMatch(sample -> sample.isDone());
  }

  @Test
  void a_master_that_was_deposed_says_nothing_of_its_minions() {
    servers.epoch = 4;
    samples.fresh(cluster);
    assertThat(samples.staleUpTo(cluster, AT_SEVEN)).isEmpty();
  }

  @Test
  void a_master_that_is_not_open_says_nothing_of_its_minions() {
    servers.closed.add(MASTER);
    servers.positions.put(MASTER, 7L);
    samples.fresh(cluster);
    assertThat(samples.staleUpTo(cluster, AT_SEVEN)).isEmpty();
  }

  private void later(Duration time) {
    now.addAndGet(time.toNanos());
  }
}
