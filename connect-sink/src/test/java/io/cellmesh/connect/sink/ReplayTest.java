package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.Replay.Goal;
import io.cellmesh.connect.sink.Replay.PartitionGap;
import io.cellmesh.connect.sink.Replay.Replayed;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.storage.BufferTable.CopyHeader;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.NodeUnavailableException.Why;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PrimaryStore;
import io.cellmesh.storage.Refusals;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Catching up where the buffers have nothing that joins the position that is remembered. */
class ReplayTest {
  private static final int PARTITION = 3;
  private static final PartitionGap GAP = new PartitionGap(PARTITION, IngestTopic.CELLS);

  private final Topology topology = TwoClusters.TOPOLOGY;
  private Optional<Position> position = Optional.empty();
  private int looks;

  @Test
  void a_gap_is_none_where_somebody_has_moved_the_position_on() {
    position = Optional.of(at(95));

    assertThat(replay(at(80), 95)).isEqualTo(new Replayed(Map.of(PARTITION, at(95)), Set.of()));
  }

  @Test
  void a_gap_is_told_where_the_position_is_what_was_remembered() {
    position = Optional.of(at(80));

    assertThat(replay(at(80), 95)).isEqualTo(new Replayed(Map.of(PARTITION, at(80)), Set.of(GAP)));
    assertThat(looks).isEqualTo(1);
  }

  @Test
  void a_gap_behind_a_position_that_was_just_read_is_told_without_another_look() {
    position = Optional.of(at(80));

    assertThat(replay(null, 95).gaps()).containsExactly(GAP);
    assertThat(looks).isEqualTo(1);
  }

  @Test
  void no_gap_is_told_while_the_position_can_not_be_read() {
    assertThat(replay(at(80), 95)).isEqualTo(new Replayed(Map.of(), Set.of()));
  }

  private Replayed replay(Position remembered, long target) {
    var metrics = new SinkMetrics(MetricsHome.nowhere(), topology);
    var paces = new PrimaryPaces(topology, new AllAnswer(), System::nanoTime);
    var replay =
        new Replay(
            new CopyChains(topology, new EmptyBuffers()),
            new PrimaryWriter(new Primary(), paces, metrics),
            new NoRefusals(),
            System::nanoTime);
    var goal = new Goal(PARTITION, remembered, Map.of(IngestTopic.CELLS, target));
    return replay.run(topology.cluster("c1"), List.of(goal), System.nanoTime() + 10_000_000_000L);
  }

  private static Position at(long next) {
    return new Position(new Mark(next, 0), Mark.START);
  }

  private final class Primary implements PrimaryStore {
    @Override
    public Map<Integer, Position> positions(StorageCluster primary, Collection<Integer> partitions)
        throws NodeUnavailableException {
      looks++;
      return Map.of(
          PARTITION,
          position.orElseThrow(
              () -> new NodeUnavailableException(primary.master(), Why.GONE, "down", null)));
    }

    @Override
    public Result write(
        StorageCluster primary, List<Write> writes, Refusals refusals, Runnable beforeCommit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Reached reached(Server server, Collection<Integer> partitions) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class EmptyBuffers extends UnusedBuffers {
    @Override
    public List<CopyHeader> held(
        StorageCluster secondary,
        StorageCluster primary,
        IngestTopic topic,
        int partition,
        long after,
        int limit) {
      return List.of();
    }
  }
}
