package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.base.Original;
import io.cellmesh.connect.sink.base.RejectionsForTests;
import io.cellmesh.connect.sink.base.TaskThreads;
import io.cellmesh.storage.BufferStore;
import io.cellmesh.storage.ConflictLedger;
import io.cellmesh.storage.CopyReaper;
import io.cellmesh.storage.PrimaryStore;
import io.cellmesh.storage.ServerHealth;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;

/** The core of a sink task with what works beside it, put upon whatever a simulation gives it. */
public final class SimulatedSink implements AutoCloseable {
  private static final int BODY_LIMIT = 1 << 20;

  /** Few, so that a poll is often written as own cells first and then those of peers. */
  private static final int TURN = 3;

  /** One for all: what it counts nobody looks at, and to register it takes long. */
  private static SinkMetrics shared;

  private final Lanes lanes;
  private final RecordDecoder decoder;
  private final CellSink core;
  private final CopyReaper reaper;
  private final ConflictTeller teller;

  /**
   * What a task is put upon.
   *
   * @param rejected takes a rejection; throws if Kafka does not
   * @param record the record at a place of an ingest topic, if it is still there
   */
  public record Ground(
      Topology topology,
      PrimaryStore primaries,
      BufferStore buffers,
      ConflictLedger ledger,
      ServerHealth health,
      TaskThreads threads,
      Random random,
      Consumer<ProducerRecord<byte[], byte[]>> rejected,
      ToLongFunction<TopicPartition> logStart,
      Function<String, UUID> topicIds,
      BiFunction<TopicPartition, Long, Optional<Original>> record) {}

  /**
   * @param copies how many secondaries get each copy while its primary is well
   */
  public SimulatedSink(Ground on, int copies) {
    var metrics = metrics(on.topology());
    var rejections = RejectionsForTests.through(on.rejected());
    this.lanes = new Lanes(on.topology());
    this.decoder = new RecordDecoder(on.topology(), BODY_LIMIT, rejections, metrics);
    this.core =
        new SinkEnvironment(
                on.topology(),
                on.primaries(),
                on.buffers(),
                on.health(),
                on.threads(),
                on.random(),
                rejections,
                on.logStart(),
                on.topicIds(),
                metrics)
            .core(lanes, decoder, copies, TURN);
    this.reaper = new CopyReaper(on.topology(), on.primaries(), on.buffers(), server -> true);
    this.teller =
        new ConflictTeller(
            on.topology(),
            on.ledger(),
            RejectionsForTests.through(on.rejected()),
            on.topicIds(),
            source(on.record()),
            on.threads()::nanoTime,
            metrics);
  }

  public void open(Collection<TopicPartition> partitions) {
    core.open(partitions);
  }

  public void close(Collection<TopicPartition> partitions) {
    core.close(partitions);
  }

  public void put(Collection<SinkRecord> records, Consumer<Map<TopicPartition, Long>> rewind) {
    core.put(records, rewind);
  }

  public Map<TopicPartition, OffsetAndMetadata> secured(
      Map<TopicPartition, OffsetAndMetadata> seen) {
    return core.secured(seen);
  }

  public boolean isBehind() {
    return core.isBehind();
  }

  /** Lets copies go that are no longer needed. */
  public void reap() throws SQLException {
    Housekeeping.reap(reaper, lanes);
  }

  /** Tells what can be told of conflicts. */
  public void tell() {
    teller.run(lanes.partitions());
  }

  /** The lanes, for a person to look at. */
  public String lanes() {
    var text = new StringBuilder();
    lanes.partitions().stream()
        .sorted()
        .flatMap(partition -> lanes.ofPartition(partition).stream())
        .forEach(lane -> text.append(lane).append("; "));
    return text.toString();
  }

  @Override
  public void close() {
    decoder.close();
  }

  private static SinkMetrics metrics(Topology topology) {
    if (shared == null) {
      shared = new SinkMetrics(MetricsHome.nowhere(), topology);
    }
    return shared;
  }

  private static RecordSource source(BiFunction<TopicPartition, Long, Optional<Original>> records) {
    return new RecordSource() {
      @Override
      public Optional<Original> at(TopicPartition at, long offset) {
        return records.apply(at, offset);
      }

      @Override
      public void close() {}
    };
  }
}
