package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.storage.BufferTable.CopyHeader;
import io.cellmesh.storage.BufferTable.Ends;
import io.cellmesh.storage.BufferTable.Reapable;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Copies of c1 and c2 on c3, known by the offsets at which they end. */
class CopyReaperTest {
  private static final Topology TOPOLOGY =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 6
          partitions: 2
          datacenter: dc1
          clusters:
            - {name: c1, shards: "0-1", epoch: 2, master: {url: "mysql://db1"}, minions: [{url: "mysql://db2"}]}
            - {name: c2, shards: "2-3", epoch: 2, master: {url: "mysql://db3"}, minions: [{url: "mysql://db4"}]}
            - {name: c3, shards: "4-5", epoch: 1, master: {url: "mysql://db5"}}
          """);

  private final Buffers buffers = new Buffers();
  private final Map<String, Long> positions =
      new HashMap<>(Map.of("db1", 30L, "db2", 30L, "db3", 30L, "db4", 30L));
  private final CopyReaper reaper =
      new CopyReaper(TOPOLOGY, new Primaries(), buffers, server -> true);

  @Test
  void copies_go_up_to_where_the_slowest_minion_is() throws Exception {
    buffers.hold("c1", 0, 10, 20, 21, 30);
    positions.put("db2", 20L);
    assertThat(reaper.run(ends -> true)).isEqualTo(2);
    assertThat(buffers.held("c1", 0)).containsExactly(21L, 30L);
  }

  @Test
  void whatever_may_go_from_a_secondary_goes_in_one_transaction() throws Exception {
    buffers.hold("c1", 0, 10, 20);
    buffers.hold("c1", 1, 10);
    buffers.hold("c2", 0, 10);
    buffers.hold("c2", 1, 20, 31);
    assertThat(reaper.run(ends -> true)).isEqualTo(5);
    assertThat(buffers.transactions).containsExactly(5);
    assertThat(buffers.held("c2", 1)).containsExactly(31L);
  }

  @Test
  void nothing_is_asked_of_a_secondary_that_has_nothing_to_let_go() throws Exception {
    buffers.hold("c1", 0, 31);
    assertThat(reaper.run(ends -> true)).isZero();
    assertThat(buffers.transactions).isEmpty();
  }

  @Test
  void only_what_is_asked_for_goes() throws Exception {
    buffers.hold("c1", 0, 10);
    buffers.hold("c1", 1, 10);
    assertThat(reaper.run(ends -> ends.partition() == 1)).isEqualTo(1);
    assertThat(buffers.held("c1", 0)).containsExactly(10L);
  }

  @Test
  void many_copies_go_in_transactions_of_a_thousand_and_none_waits_for_another_primary()
      throws Exception {
    buffers.hold("c1", 0, LongStream.rangeClosed(1, 3500).toArray());
    buffers.hold("c2", 0, LongStream.rangeClosed(1, 20).toArray());
    positions.replaceAll((server, at) -> 5000L);
    assertThat(reaper.run(ends -> true)).isEqualTo(3520);
    assertThat(buffers.transactions).containsExactly(520, 1000, 1000, 1000, 0);
  }

  @Test
  void a_secondary_that_missed_a_promotion_learns_of_it_and_lets_copies_go() throws Exception {
    buffers.hold("c1", 0, 10, 20);
    buffers.hold("c2", 0, 10);
    buffers.epochs.put("c1", 1);
    assertThat(reaper.run(ends -> true)).isEqualTo(3);
    assertThat(buffers.epochs).containsEntry("c1", 2);
    assertThat(buffers.transactions).as("the others' copies don't wait").containsExactly(1, 2);
  }

  @Test
  void a_secondary_that_knows_a_newer_promotion_keeps_its_copies_and_its_epoch() throws Exception {
    buffers.hold("c1", 0, 10, 20);
    buffers.hold("c2", 0, 10);
    buffers.epochs.put("c1", 3);
    assertThat(reaper.run(ends -> true)).isEqualTo(1);
    assertThat(buffers.epochs).containsEntry("c1", 3);
    assertThat(buffers.held("c1", 0)).containsExactly(10L, 20L);
  }

  private final class Primaries implements PrimaryStore {
    @Override
    public Reached reached(Server server, Collection<Integer> partitions) {
      var position = new Position(new Mark(positions.get(server.host()), 7), Mark.START);
      return new Reached("", Map.of(0, position, 1, position), GtidSet.EMPTY);
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

  /** The buffer of c3. */
  private static final class Buffers implements BufferStore {
    private final Map<String, Map<Integer, TreeSet<Long>>> held = new TreeMap<>();
    private final Map<String, Integer> epochs = new HashMap<>(Map.of("c1", 2, "c2", 2));

    /** How many copies went in each. */
    private final List<Integer> transactions = new ArrayList<>();

    private void hold(String primary, int partition, long... ends) {
      LongStream.of(ends).forEach(held(primary, partition)::add);
    }

    private TreeSet<Long> held(String primary, int partition) {
      return held.computeIfAbsent(primary, p -> new TreeMap<>())
          .computeIfAbsent(partition, p -> new TreeSet<>());
    }

    @Override
    public List<Ends> ends(StorageCluster secondary) {
      var ends = new ArrayList<Ends>();
      if (secondary.name().equals("c3")) {
        held.forEach(
            (primary, partitions) ->
                partitions.forEach(
                    (partition, of) -> {
                      if (!of.isEmpty()) {
                        ends.add(
                            new Ends(primary, IngestTopic.CELLS, partition, of.first(), of.last()));
                      }
                    }));
      }
      return ends;
    }

    @Override
    public Map<String, Integer> reap(StorageCluster secondary, List<Reapable> reapable, int limit) {
      var went = new HashMap<String, Integer>();
      for (var one : reapable) {
        var name = one.primary().name();
        int deleted = 0;
        for (var upTo : one.upTo()) {
          var going =
              held(name, upTo.partition()).headSet(upTo.offset(), true).stream()
                  .limit(epochs.get(name) == one.primary().epoch() ? limit - deleted : 0)
                  .toList();
          held(name, upTo.partition()).removeAll(going);
          deleted += going.size();
        }
        went.put(name, deleted);
      }
      transactions.add(went.values().stream().mapToInt(Integer::intValue).sum());
      return went;
    }

    @Override
    public boolean raiseEpoch(StorageCluster secondary, StorageCluster primary, Duration answer) {
      int before = epochs.get(primary.name());
      epochs.put(primary.name(), Math.max(before, primary.epoch()));
      return before < primary.epoch();
    }

    @Override
    public void insert(
        StorageCluster secondary, Map<StorageCluster, List<Copy>> copies, Duration answer) {
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
