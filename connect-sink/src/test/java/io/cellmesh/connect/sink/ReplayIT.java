package io.cellmesh.connect.sink;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.Replay.Goal;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.base.PrimaryExecutor;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.SharedMasters;
import io.cellmesh.storage.BufferTable;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Packet;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.SqlBufferStore;
import io.cellmesh.storage.SqlPrimaryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Catching up from real buffers, on masters that take no more than every master must. */
class ReplayIT {
  private static final int COPIES = 3;
  private static final int CELLS_OF_A_COPY = 3;

  /** Nearly the largest body, of characters that can't be compressed much. */
  private static final int BODY = 1 << 20;

  /** A crowded machine is slow with packets of this size; their size is what counts here. */
  private static final MySqlOptions PATIENT =
      new MySqlOptions(
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          4);

  private final Random random = new Random(24);
  private final MySqlServer primaryMaster = SharedMasters.stack().cluster("dc1", "c1").master();
  private Topology topology;
  private Nodes nodes;
  private StorageCluster primary;
  private StorageCluster secondary;
  private PrimaryWriter writer;
  private SinkMetrics metrics;
  private BufferTable buffer;

  @BeforeEach
  void start() throws Exception {
    topology = SharedMasters.stack().topology("dc1");
    primary = topology.cluster("c1");
    secondary = topology.cluster("c2");
    primaryMaster.execute("SET GLOBAL max_allowed_packet = " + Packet.NEEDED);
    var pools = new Pools(new Credentials("root", ""), PATIENT.withMultiStatements());
    for (var cluster : topology.clusters()) {
      new InstanceSchema(topology, pools).create(cluster, made -> {});
    }
    nodes = new Nodes(pools);
    metrics = new SinkMetrics(MetricsHome.nowhere(), topology);
    writer =
        new PrimaryWriter(
            new SqlPrimaryStore(topology, nodes),
            new PrimaryPaces(topology, nodes, System::nanoTime),
            metrics);
    buffer = new BufferTable(topology);
  }

  @AfterEach
  void stop() {
    primaryMaster.execute("SET GLOBAL max_allowed_packet = 67108864");
    nodes.close();
    metrics.close();
  }

  @Test
  void an_outage_of_large_cells_is_caught_up_with_in_packets_that_every_master_takes()
      throws Exception {
    var partitions = List.of(0, 1);
    var positions = writer.positions(primary, partitions).orElseThrow();
    var goals = new ArrayList<Goal>();
    for (int partition : partitions) {
      long offset = positions.get(partition).of(IngestTopic.CELLS);
      for (int i = 0; i < COPIES; i++, offset += CELLS_OF_A_COPY) {
        hold(partition, offset);
      }
      goals.add(new Goal(partition, positions.get(partition), Map.of(IngestTopic.CELLS, offset)));
    }
    var progress =
        new Replay(
                new CopyChains(topology, new SqlBufferStore(topology, nodes)),
                writer,
                new NoRefusals(),
                System::nanoTime)
            .run(primary, goals, PrimaryExecutor.deadline(Duration.ofMinutes(3)));
    assertThat(progress.gaps()).isEmpty();
    for (var goal : goals) {
      assertThat(progress.reached().get(goal.partition()).of(IngestTopic.CELLS))
          .isEqualTo(goal.targets().get(IngestTopic.CELLS));
    }
  }

  @Test
  void of_copies_that_join_and_overlap_each_cell_is_applied_once_in_their_order() throws Exception {
    var row = UUID.randomUUID();
    var position = writer.positions(primary, List.of(0)).orElseThrow().get(0);
    long from = position.of(IngestTopic.CELLS);
    hold(row, from, from + 3);
    hold(row, from + 1, from + 5);
    hold(row, from + 5, from + 6);
    var goal = new Goal(0, position, Map.of(IngestTopic.CELLS, from + 6));
    new Replay(
            new CopyChains(topology, new SqlBufferStore(topology, nodes)),
            writer,
            new NoRefusals(),
            System::nanoTime)
        .run(primary, List.of(goal), PrimaryExecutor.deadline(Duration.ofMinutes(1)));
    assertThat(
            primaryMaster.query(
                "SELECT GROUP_CONCAT(ref_key ORDER BY added_id) FROM trips_0000.entity WHERE row_key = UUID_TO_BIN('%s')"
                    .formatted(row)))
        .isEqualTo(
            LongStream.range(from, from + 6).mapToObj(String::valueOf).collect(joining(",")));
  }

  /** One copy of small cells whose ref_keys are their offsets. */
  private void hold(UUID row, long from, long next) throws Exception {
    var cells = new ArrayList<OffsetCell>();
    for (long offset = from; offset < next; offset++) {
      var key = new CellKey(row, "BASE", offset);
      cells.add(new OffsetCell(offset, 0, new Cell(key, Body.ofJson("1"), Optional.empty())));
    }
    hold(new Copy(primary.name(), IngestTopic.CELLS, 0, from, new Mark(next, 7), cells));
  }

  /** One copy of cells that are as large as they may be together. */
  private void hold(int partition, long offset) throws Exception {
    var cells = new ArrayList<OffsetCell>();
    for (int i = 0; i < CELLS_OF_A_COPY; i++) {
      cells.add(new OffsetCell(offset + i, partition, cell()));
    }
    var end = new Mark(offset + CELLS_OF_A_COPY, 7);
    hold(new Copy(primary.name(), IngestTopic.CELLS, partition, offset, end, cells));
  }

  private void hold(Copy copy) throws Exception {
    nodes
        .of(secondary.master())
        .call(
            c -> {
              buffer.insert(c, Map.of(primary, List.of(copy)));
              return null;
            });
  }

  private Cell cell() throws InvalidCellException {
    var json = new StringBuilder(BODY).append('"');
    while (json.length() < BODY - 100) {
      json.append((char) ('#' + random.nextInt(56)));
    }
    return new Cell(
        new CellKey(UUID.randomUUID(), "BASE", 1),
        Body.ofJson(json.append('"').toString()),
        Optional.empty());
  }
}
