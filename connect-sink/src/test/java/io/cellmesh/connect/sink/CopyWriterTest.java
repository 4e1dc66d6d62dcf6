package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.sink.base.DaemonThreads;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.StaleEpochException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CopyWriterTest {
  private final Topology topology = TopologyYaml.parse(TOPOLOGY);
  private final DaemonThreads threads = new DaemonThreads("copies");
  private final SinkMetrics metrics = new SinkMetrics(MetricsHome.nowhere(), topology);

  /** One entry a statement: the primaries whose copies it had. */
  private final Queue<List<StorageCluster>> statements = new ConcurrentLinkedQueue<>();

  private final Queue<String> raised = new ConcurrentLinkedQueue<>();
  private final Random random = new Random(1);
  private boolean stale;

  @AfterEach
  void stop() {
    threads.close();
    metrics.close();
  }

  @Test
  void what_a_batch_has_of_several_primaries_costs_two_commits_while_it_is_little()
      throws Exception {
    for (int i = 0; i < 20; i++) {
      deliver(10);
    }
    assertThat(statements).hasSize(40);
    assertThat(statements.stream().flatMap(List::stream)).hasSize(80);
  }

  @Test
  void a_secondary_is_drawn_for_each_primary_where_they_have_much() throws Exception {
    for (int i = 0; i < 20; i++) {
      deliver(60_000);
    }
    assertThat(statements).hasSizeGreaterThan(45);
    assertThat(statements.stream().flatMap(List::stream)).hasSize(80);
  }

  @Test
  void a_secondary_that_another_task_has_told_of_a_promotion_meanwhile_takes_copies()
      throws Exception {
    stale = true;
    deliver(10);
    assertThat(raised).containsExactlyInAnyOrder("c1", "c2", "c3", "c4");
    assertThat(statements.stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(topology.clusters());
  }

  /** Copies of all primaries, each of one cell of so many bytes. */
  private void deliver(int bytes) throws InvalidCellException {
    var writer = new CopyWriter(topology, new AllAnswer(), new Buffers(), random, threads, metrics);
    var copies = new LinkedHashMap<StorageCluster, List<Copy>>();
    for (var primary : topology.clusters()) {
      copies.put(primary, List.of(copy(primary, bytes)));
    }
    var wanted = new LinkedHashMap<CopyDelivery, Integer>();
    writer.deliveries(copies).values().forEach(delivery -> wanted.put(delivery, 1));
    CopyDelivery.together(wanted).values().forEach(CompletableFuture::join);
  }

  private Copy copy(StorageCluster primary, int bytes) throws InvalidCellException {
    var body = new StringBuilder("\"");
    // Nothing that could be compressed.
    var random = new Random(primary.name().hashCode());
    while (body.length() < bytes) {
      body.append((char) ('#' + random.nextInt(56)));
    }
    var cell =
        new Cell(
            new CellKey(new UUID(1, 1), "BASE", 1),
            Body.ofJson(body.append('"').toString()),
            Optional.empty());
    return new Copy(
        primary.name(),
        IngestTopic.CELLS,
        0,
        0,
        new Mark(1, 7),
        List.of(new OffsetCell(0, 0, cell)));
  }

  private final class Buffers extends UnusedBuffers {
    @Override
    public void insert(
        StorageCluster secondary, Map<StorageCluster, List<Copy>> copies, Duration answer)
        throws SQLException {
      assertThat(copies).doesNotContainKey(secondary);
      if (stale
          && !raised.containsAll(copies.keySet().stream().map(StorageCluster::name).toList())) {
        throw new StaleEpochException("c1", 1);
      }
      statements.add(List.copyOf(copies.keySet()));
    }

    /** Another one has raised it. */
    @Override
    public boolean raiseEpoch(StorageCluster secondary, StorageCluster primary, Duration answer) {
      raised.add(primary.name());
      return false;
    }
  }

  private static final String TOPOLOGY =
      """
      instance: trips
      shards: 64
      partitions: 16
      datacenter: dc1
      clusters:
        - {name: c1, shards: 0-15, epoch: 1, master: {url: "mysql://db1"}}
        - {name: c2, shards: 16-31, epoch: 1, master: {url: "mysql://db2"}}
        - {name: c3, shards: 32-47, epoch: 1, master: {url: "mysql://db3"}}
        - {name: c4, shards: 48-63, epoch: 1, master: {url: "mysql://db4"}}
      """;
}
