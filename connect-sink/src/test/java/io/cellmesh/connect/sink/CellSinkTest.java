package io.cellmesh.connect.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.sink.base.DaemonThreads;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.base.ModelledRejections;
import io.cellmesh.connect.sink.base.TaskThreads;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Packet;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PrimaryStore;
import io.cellmesh.storage.SqlBufferStore;
import io.cellmesh.storage.SqlPrimaryStore;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The core of the sink while no server can be reached. */
class CellSinkTest {
  private static final TopicPartition AT = new TopicPartition("trips.cells", 3);

  private final Topology topology = TopologyYaml.parse(TOPOLOGY);
  private final Nodes nodes = new Nodes(new Pools(new Credentials("nobody", "")));
  private final PrimaryStore primaries = new SqlPrimaryStore(topology, nodes);
  private final DaemonThreads threads = new DaemonThreads("sink");
  private final Lanes lanes = new Lanes(topology);
  private final ModelledRejections kafka = new ModelledRejections();
  private final SinkMetrics metrics = new SinkMetrics(MetricsHome.nowhere(), topology);
  private final RecordDecoder decoder =
      new RecordDecoder(topology, 1 << 20, kafka.rejections(), metrics);
  private final Map<TopicPartition, Long> rewinds = new HashMap<>();

  @BeforeEach
  void leaveServersAlone() {
    topology.clusters().forEach(cluster -> nodes.of(cluster.master()).suspect());
  }

  @AfterEach
  void close() {
    threads.close();
    decoder.close();
    nodes.close();
    metrics.close();
  }

  @Test
  void no_offset_is_committed_before_kafka_has_what_was_rejected() {
    var sink = sink();
    decoder.read(decoder.ranges(List.of(record(7, "no cell".getBytes(UTF_8)))));
    assertThat(kafka.told()).hasSize(1);
    assertThatThrownBy(() -> sink.secured(Map.of(AT, new OffsetAndMetadata(8))))
        .isInstanceOf(RetriableException.class);
    kafka.acknowledge();
    assertThat(sink.secured(Map.of(AT, new OffsetAndMetadata(8)))).containsOnlyKeys(AT);
  }

  @Test
  void what_a_poll_brought_is_not_taken_for_what_it_has_asked_for_itself() {
    lanes.ofPartition(3).forEach(lane -> lane.found(at(100)));
    var large = new byte[(int) Packet.BATCH];
    sink().put(List.of(record(50, large), record(51, large)), rewinds::putAll);
    assertThat(rewinds).as("the record before the position").containsExactly(Map.entry(AT, 99L));
  }

  @Test
  void what_a_rebalance_took_away_before_it_was_written_is_not_committed() throws Exception {
    var key = new CellKey(rowIn(3), "BASE", 1);
    var value = Envelope.write(new Cell(key, Body.ofJson("{}"), Optional.empty()));
    var sink = sink();
    var delivery = List.of(record(7, Envelope.key(key), value));
    assertThatThrownBy(() -> sink.put(delivery, rewinds::putAll))
        .isInstanceOf(RetriableException.class);
    sink.open(List.of(AT));
    sink.put(List.of(), rewinds::putAll);
    assertThat(sink.secured(Map.of(AT, new OffsetAndMetadata(8)))).isEmpty();
  }

  @Test
  void what_waits_for_the_next_poll_is_not_committed_though_all_primaries_are_past_it() {
    lanes.ofPartition(3).forEach(lane -> lane.found(new Position(new Mark(100, 0), Mark.START)));
    var sink = sink(new StandingTime());
    // It is compared first, and reading comes back to where it began.
    for (long offset : new long[] {50, 99, 50}) {
      assertThat(putNoCell(sink, offset)).isNotEmpty();
    }
    assertThat(putNoCell(sink, 51)).as("it came at once, as did those before it").isEmpty();
    kafka.acknowledge();
    var seen = Map.of(AT, new OffsetAndMetadata(52));
    assertThat(sink.secured(seen)).isEqualTo(Map.of(AT, new OffsetAndMetadata(51)));
    sink.put(List.of(), rewinds::putAll);
    kafka.acknowledge();
    assertThat(sink.secured(seen)).isEqualTo(seen);
  }

  @Test
  void a_lane_whose_transaction_ended_nobody_knows_how_forgets_where_it_is() {
    var primary = topology.clusters().get(0);
    var lane = lanes.of(primary, 3);
    lane.found(at(7));
    lane.begin(IngestTopic.CELLS, 7);
    lane.startBatch(IngestTopic.CELLS);
    laneWriter().advance(Map.of(lane, at(7)), Duration.ofSeconds(10));
    assertThat(lane.positionKnown()).as("its master does not answer").isFalse();
    assertThat(lane.applied(IngestTopic.CELLS)).isEqualTo(7);
  }

  private List<Collection<SinkRecord>> putNoCell(CellSink sink, long offset) {
    return sink.put(List.of(record(offset, "no cell".getBytes(UTF_8))), rewinds::putAll);
  }

  private CellSink sink() {
    return sink(threads);
  }

  private CellSink sink(TaskThreads threads) {
    return new SinkEnvironment(
            topology,
            primaries,
            new SqlBufferStore(topology, nodes),
            nodes,
            threads,
            new Random(1),
            kafka.rejections(),
            at -> 0,
            topic -> new UUID(0, 1),
            metrics)
        .core(lanes, decoder, 1, 500);
  }

  private LaneWriter laneWriter() {
    // Nobody is late for what this machine takes.
    var paces = new PrimaryPaces(topology, nodes, () -> 0);
    return new LaneWriter(
        topology,
        new PrimaryWriter(primaries, paces, metrics),
        new RefusedRecords(topology.topics(), kafka.rejections(), topic -> new UUID(0, 1)),
        new PendingWork(nodes, threads, paces),
        lanes);
  }

  private static SinkRecord record(long offset, byte[] value) {
    return record(offset, "key".getBytes(UTF_8), value);
  }

  private static SinkRecord record(long offset, byte[] key, byte[] value) {
    return new SinkRecord(AT.topic(), AT.partition(), null, key, null, value, offset);
  }

  private UUID rowIn(int partition) {
    var shards = topology.shards();
    return Stream.generate(UUID::randomUUID)
        .filter(row -> shards.partitionOf(shards.of(row)) == partition)
        .findFirst()
        .orElseThrow();
  }

  private static Position at(long cells) {
    return new Position(new Mark(cells, 4711), Mark.START);
  }

  /** Whatever comes comes at once. */
  private final class StandingTime implements TaskThreads {
    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public void execute(Runnable task) {
      threads.execute(task);
    }

    @Override
    public boolean await(Future<?> work, long nanos) {
      return threads.await(work, nanos);
    }

    @Override
    public void await(CompletableFuture<?> work) {
      threads.await(work);
    }

    @Override
    public void whenLate(CompletableFuture<?> work, long millis, Runnable late) {
      threads.whenLate(work, millis, late);
    }
  }

  private static final String TOPOLOGY =
      """
      instance: trips
      shards: 64
      partitions: 16
      datacenter: dc1
      clusters:
        - {name: c1, shards: 0-31, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
        - {name: c2, shards: 32-63, epoch: 1, master: {url: "mysql://127.0.0.1:2"}}
      """;
}
