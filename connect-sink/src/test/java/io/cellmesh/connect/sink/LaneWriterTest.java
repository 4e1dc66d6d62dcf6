package io.cellmesh.connect.sink;

import static io.cellmesh.connect.sink.TwoClusters.TOPOLOGY;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.base.DaemonThreads;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.base.ModelledRejections;
import io.cellmesh.storage.EntityTable.Outcome;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PrimaryStore;
import io.cellmesh.storage.Refusals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lanes of two primaries in partitions 3 and 4, whose topic trips.cells was read up to 10. */
class LaneWriterTest {
  private static final Mark TEN = new Mark(10, 4711);

  private final DaemonThreads threads = new DaemonThreads("lanes");
  private final SinkMetrics metrics = new SinkMetrics(MetricsHome.nowhere(), TOPOLOGY);
  private final Lanes lanes = new Lanes(TOPOLOGY);
  private final Primaries primaries = new Primaries();
  private final LaneWriter writer = writer();

  @BeforeEach
  void read() {
    for (int partition : List.of(3, 4)) {
      for (var lane : lanes.ofPartition(partition)) {
        lane.found(Position.START);
        lane.begin(IngestTopic.CELLS, 0);
      }
    }
  }

  @AfterEach
  void stop() {
    threads.close();
    metrics.close();
  }

  @Test
  void positions_of_a_primarys_idle_lanes_go_along_in_one_transaction() {
    advance(10);

    assertThat(primaries.transactions).containsExactlyInAnyOrder("c1: 3 4", "c2: 3 4");
    assertThat(lanes.ofPartition(3)).allMatch(lane -> lane.stored().cells().equals(TEN));
  }

  @Test
  void a_lane_of_which_nothing_was_read_since_costs_nothing() {
    lanes.of(TOPOLOGY.cluster("c1"), 3).found(new Position(TEN, Mark.START));
    lanes.ofPartition(4).forEach(lane -> lane.found(new Position(TEN, Mark.START)));
    advance(10);
    assertThat(primaries.transactions).containsExactly("c2: 3");

    advance(10);
    assertThat(primaries.transactions).as("all are there").hasSize(1);
  }

  @Test
  void a_position_does_not_go_where_no_copy_says_so_that_outlives_a_promotion() {
    advance(9);

    assertThat(primaries.transactions).isEmpty();
  }

  /**
   * As a commit of offsets does it.
   *
   * @param copied up to where copies of all lanes were written for it
   */
  private void advance(long copied) {
    var idle = writer.idle((topic, partition) -> topic == IngestTopic.CELLS ? TEN : null);
    for (int partition : lanes.partitions()) {
      lanes.ofPartition(partition).forEach(lane -> lane.copied(IngestTopic.CELLS, copied));
    }
    writer.advance(idle, Duration.ofSeconds(10));
  }

  private LaneWriter writer() {
    var health = new AllAnswer();
    // Nobody is late for what this machine takes.
    var paces = new PrimaryPaces(TOPOLOGY, health, () -> 0);
    return new LaneWriter(
        TOPOLOGY,
        new PrimaryWriter(primaries, paces, metrics),
        new RefusedRecords(
            TOPOLOGY.topics(), new ModelledRejections().rejections(), topic -> new UUID(0, 1)),
        new PendingWork(health, threads, paces),
        lanes);
  }

  /** Take whatever is written, and remember for whom. */
  private static final class Primaries implements PrimaryStore {
    private final List<String> transactions = Collections.synchronizedList(new ArrayList<>());

    @Override
    public Map<Integer, Position> positions(
        StorageCluster primary, Collection<Integer> partitions) {
      throw new AssertionError("all are known");
    }

    @Override
    public Result write(
        StorageCluster primary, List<Write> writes, Refusals refusals, Runnable beforeCommit) {
      beforeCommit.run();
      transactions.add(
          writes.stream()
              .map(write -> " " + write.partition())
              .collect(Collectors.joining("", primary.name() + ":", "")));
      return new Result.Applied(new Outcome(0, 0, List.of(), 0));
    }

    @Override
    public Reached reached(Server server, Collection<Integer> partitions) {
      throw new AssertionError("nothing is let go");
    }
  }
}
