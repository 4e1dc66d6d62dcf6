package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.storage.BufferTable.CopyHeader;
import io.cellmesh.storage.BufferTable.Ends;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Copies of c1 on c2, of one topic and partition, known by the offsets at which they end. */
class CopyReaperTest {
  private static final Topology TOPOLOGY =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 2
          partitions: 1
          datacenter: dc1
          clusters:
            - {name: c1, shards: "0", epoch: 2, master: {url: "mysql://db1"}, minions: [{url: "mysql://db2"}]}
            - {name: c2, shards: "1", epoch: 1, master: {url: "mysql://db3"}}
          """);

  private final Buffers buffers = new Buffers();
  private final Map<String, Long> positions = new HashMap<>(Map.of("db1", 30L, "db2", 30L));
  private final CopyReaper reaper =
      new CopyReaper(TOPOLOGY, new Primaries(), buffers, server -> true);

  @Test
  void copies_go_up_to_where_the_slowest_minion_is() throws Exception {
    positions.put("db2", 20L);
    assertThat(reaper.run(ends -> true)).isEqualTo(2);
    assertThat(buffers.held).containsExactly(21L, 30L);
  }

  @Test
  void a_secondary_that_missed_a_promotion_learns_of_it_and_lets_copies_go() throws Exception {
    buffers.epoch = 1;
    assertThat(reaper.run(ends -> true)).isEqualTo(4);
    assertThat(buffers.epoch).isEqualTo(2);
    assertThat(buffers.held).isEmpty();
  }

  @Test
  void a_secondary_that_knows_a_newer_promotion_keeps_its_copies_and_its_epoch() throws Exception {
    buffers.epoch = 3;
    assertThat(reaper.run(ends -> true)).isZero();
    assertThat(buffers.epoch).isEqualTo(3);
    assertThat(buffers.held).hasSize(4);
  }

  private final class Primaries implements PrimaryStore {
    @Override
    public Reached reached(Server server, Collection<Integer> partitions) {
      var mark = new Mark(positions.get(server.host()), 7);
      return new Reached("", Map.of(0, new Position(mark, Mark.START)), GtidSet.EMPTY);
    }

    @Override
    public Map<Integer, Position> positions(StorageCluster primary, Collection<Integer> some) {
      throw new AssertionError("nobody asks for them");
    }

    @Override
    public Result write(
        StorageCluster primary, List<Write> writes, Refusals refusals, Runnable beforeCommit) {
      throw new AssertionError("nobody writes");
    }
  }

  private static final class Buffers implements BufferStore {
    private final TreeSet<Long> held = new TreeSet<>(List.of(10L, 20L, 21L, 30L));
    private int epoch = 2;

    @Override
    public List<Ends> ends(StorageCluster secondary) {
      return secondary.name().equals("c1") || held.isEmpty()
          ? List.of()
          : List.of(new Ends("c1", IngestTopic.CELLS, 0, held.first(), held.last()));
    }

    @Override
    public int reap(
        StorageCluster secondary,
        StorageCluster primary,
        IngestTopic topic,
        int partition,
        long upTo,
        int limit) {
      var going = List.copyOf(held.headSet(upTo, true));
      if (epoch != primary.epoch()) {
        return 0;
      }
      held.removeAll(going);
      return going.size();
    }

    @Override
    public boolean raiseEpoch(StorageCluster secondary, StorageCluster primary, Duration answer) {
      boolean lower = epoch < primary.epoch();
      epoch = Math.max(epoch, primary.epoch());
      return lower;
    }

    @Override
    public void insert(
        StorageCluster secondary, Map<StorageCluster, List<Copy>> copies, Duration answer)
        throws SQLException {
      throw new AssertionError("nobody writes");
    }

    @Override
    public List<CopyHeader> held(
        StorageCluster secondary,
        StorageCluster primary,
        IngestTopic topic,
        int partition,
        long after,
        int limit) {
      throw new AssertionError("nobody reads");
    }

    @Override
    public Map<Long, List<OffsetCell>> cells(StorageCluster secondary, Collection<Long> ids) {
      throw new AssertionError("nobody reads");
    }
  }
}
