package io.cellmesh.connect.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.base.DaemonThreads;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.Position;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cells of c1, whose primary does not take them; c2 takes copies, and c3 refuses them for good. */
class CopySenderTest {
  private static final int PARTITION = 3;

  private final Topology topology = ThreeClusters.TOPOLOGY;
  private final DaemonThreads threads = new DaemonThreads("copies");
  private final SinkMetrics metrics = new SinkMetrics(MetricsHome.nowhere(), topology);
  private final Lanes lanes = new Lanes(topology);
  private boolean refuses = true;
  private final Queue<String> took = new ConcurrentLinkedQueue<>();

  @AfterEach
  void stop() {
    threads.close();
    metrics.close();
  }

  @Test
  void what_the_second_secondary_refuses_for_good_is_said_in_its_own_words() throws Exception {
    var sender = sender();
    var lane = lanes.of(topology.cluster("c1"), PARTITION);
    lane.found(Position.START);
    lane.begin(IngestTopic.CELLS, 0);
    lane.startBatch(IngestTopic.CELLS);
    var sent = sender.send(batch());
    sender.finish(sent);
    assertThatThrownBy(() -> sender.doubleWhatWaits(sent, 100))
        .isInstanceOf(ConnectException.class)
        .hasMessageStartingWith("secondary c3 (db3:3306) refused a copy: ");
    assertThat(took).containsExactly("c2");
  }

  @Test
  void how_far_a_lane_was_read_stands_twice_where_its_primary_does_not_say_so() {
    refuses = false;
    var sender = sender();
    var lane = lanes.of(topology.cluster("c1"), PARTITION);
    lane.found(Position.START);
    lane.begin(IngestTopic.CELLS, 0);
    var sent = sender.extend((topic, partition) -> new Mark(5, 0));
    sender.finish(sent);
    assertThat(lane.copied(IngestTopic.CELLS)).isEqualTo(5);
    assertThat(took).containsExactly("c2");
    sender.doubleWhatWaits(sent, 100);
    assertThat(took).containsExactlyInAnyOrder("c2", "c3");
    lane.found(Position.START.with(IngestTopic.CELLS, new Mark(5, 0)));
    sender.doubleWhatWaits(sender.extend((topic, partition) -> new Mark(5, 0)), 100);
    assertThat(took).hasSize(2);
  }

  private CopySender sender() {
    var health = new Health();
    // Nobody is late for what this machine takes.
    var paces = new PrimaryPaces(topology, health, () -> 0);
    return new CopySender(
        topology,
        health,
        new CopyWriter(topology, health, new Buffers(), new Random(1), threads, metrics),
        lanes,
        new PendingWork(health, threads, paces),
        threads,
        1,
        metrics);
  }

  private static Batch batch() throws Exception {
    var at = new TopicPartition("trips.cells", PARTITION);
    var range = new Batch.Range(at, IngestTopic.CELLS);
    var key = "key".getBytes(UTF_8);
    var record = new SinkRecord(at.topic(), PARTITION, null, key, null, key, 0);
    range.seen(record);
    var cell = new Cell(new CellKey(new UUID(1, 1), "BASE", 1), Body.ofJson("1"), Optional.empty());
    range.add("c1", 0, PARTITION, cell);
    return new Batch(List.of(range), List.of(record));
  }

  /** One that takes no writes is asked last. */
  private static final class Health extends AllAnswer {
    @Override
    public boolean writable(Server server) {
      return !server.host().equals("db3");
    }
  }

  private final class Buffers extends UnusedBuffers {
    @Override
    public void insert(
        StorageCluster secondary, Map<StorageCluster, List<Copy>> copies, Duration answer)
        throws SQLException {
      if (refuses && secondary.name().equals("c3")) {
        throw new SQLException("INSERT command denied", "42000", 1142);
      }
      took.add(secondary.name());
    }
  }
}
