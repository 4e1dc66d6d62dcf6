package io.cellmesh.worker;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.storage.BufferTable;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.EntityTransaction;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.PositionTable;
import io.cellmesh.storage.Refusals;
import io.cellmesh.storage.RefusedRecord;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.HeaderText;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What the sink does to positions, rows and offsets, with its own transaction and without copies,
 * under a test's hand: it can be stopped, and leave a cluster out. One thread.
 */
final class HandSink implements AutoCloseable {
  /** Why it refuses the cells of column REFUSED. */
  static final String REASON = "column_name: this sink refuses it";

  private static final Duration POLL = Duration.ofMillis(5);

  private final Topology topology;
  private final Pools pools;
  private final Admin admin;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final EntityTransaction transaction;
  private final KafkaProducer<byte[], byte[]> rejected;
  private final Map<String, Map<Integer, List<ConsumerRecord<byte[], byte[]>>>> behind =
      new HashMap<>();
  private final Set<String> leftOut = ConcurrentHashMap.newKeySet();
  private final Thread thread = new Thread(this::run, "hand-sink");
  private volatile boolean paused;
  private volatile boolean copying;
  private volatile boolean closed;
  private volatile Exception failure;

  HandSink(Topology topology, KafkaAccess kafka, Pools pools) {
    this.topology = topology;
    this.pools = pools;
    this.admin = Consumers.admin(kafka);
    this.consumer = Consumers.open(kafka);
    this.rejected =
        new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer());
    this.transaction = new EntityTransaction(topology);
    var partitions =
        IntStream.range(0, topology.shards().partitions())
            .mapToObj(p -> new TopicPartition(topology.topics().cells(), p))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    thread.start();
  }

  /** Takes nothing up until it is told to go on. */
  void pause(boolean pause) {
    paused = pause;
  }

  /**
   * Has copies of what is left out written to the buffer of the other cluster, and commits no
   * offset meanwhile: as the sink of two clusters does while the master of one is away.
   */
  void copy(boolean copies) {
    copying = copies;
  }

  /** Commits offsets, and brings a cluster nothing until it is left out no more. */
  void leaveOut(String cluster, boolean leave) {
    if (leave) {
      leftOut.add(cluster);
    } else {
      leftOut.remove(cluster);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    consumer.close();
    rejected.close();
    admin.close();
    if (failure != null) {
      throw new AssertionError(failure);
    }
  }

  private void run() {
    try {
      while (!closed) {
        if (paused) {
          Thread.sleep(5);
        } else {
          take();
        }
      }
    } catch (Exception e) {
      failure = e;
    }
  }

  private void take() throws Exception {
    var ends = new HashMap<TopicPartition, OffsetAndMetadata>();
    var records = consumer.poll(POLL);
    for (var record : records) {
      var shard = topology.shards().of(record.key());
      behind
          .computeIfAbsent(topology.clusterOf(shard).name(), name -> new HashMap<>())
          .computeIfAbsent(record.partition(), p -> new ArrayList<>())
          .add(record);
      ends.put(
          new TopicPartition(record.topic(), record.partition()),
          new OffsetAndMetadata(record.offset() + 1));
    }
    if (copying) {
      copy(records);
    }
    for (var cluster : topology.clusters()) {
      if (!leftOut.contains(cluster.name())) {
        bring(cluster, behind.getOrDefault(cluster.name(), Map.of()));
      }
    }
    if (!ends.isEmpty() && !copying) {
      admin
          .alterConsumerGroupOffsets(InstanceNames.cellSink(topology.instance()), ends)
          .all()
          .get();
    }
  }

  private void copy(ConsumerRecords<byte[], byte[]> records) throws SQLException {
    for (var partition : records.partitions()) {
      for (var primary : topology.clusters()) {
        if (leftOut.contains(primary.name())) {
          copy(primary, partition.partition(), records.records(partition));
        }
      }
    }
  }

  private void copy(
      StorageCluster primary, int partition, List<ConsumerRecord<byte[], byte[]>> records)
      throws SQLException {
    var own =
        records.stream()
            .filter(record -> topology.clusterOf(topology.shards().of(record.key())) == primary)
            .toList();
    if (own.isEmpty()) {
      return;
    }
    long next = records.get(records.size() - 1).offset() + 1;
    var copy =
        new Copy(
            primary.name(),
            IngestTopic.CELLS,
            partition,
            records.get(0).offset(),
            new Mark(next, 1),
            cells(own));
    pools.run(
        topology.secondariesOf(primary).get(0).master(),
        connection -> new BufferTable(topology).insert(connection, Map.of(primary, List.of(copy))));
  }

  private List<OffsetCell> cells(List<ConsumerRecord<byte[], byte[]>> records) {
    var cells = new ArrayList<OffsetCell>();
    for (var record : records) {
      cell(record)
          .ifPresent(
              cell ->
                  cells.add(
                      new OffsetCell(record.offset(), topology.shards().of(record.key()), cell)));
    }
    return cells;
  }

  private void bring(
      StorageCluster cluster, Map<Integer, List<ConsumerRecord<byte[], byte[]>>> waiting)
      throws SQLException {
    for (var entry : waiting.entrySet()) {
      if (!entry.getValue().isEmpty()) {
        write(cluster, entry.getKey(), entry.getValue());
        entry.getValue().clear();
      }
    }
  }

  private void write(
      StorageCluster cluster, int partition, List<ConsumerRecord<byte[], byte[]>> records)
      throws SQLException {
    var cells = cells(records);
    long next = records.get(records.size() - 1).offset() + 1;
    pools.run(
        cluster.master(),
        connection -> {
          var position =
              new PositionTable(topology).read(connection, List.of(partition)).get(partition);
          var write =
              new Write(
                  partition,
                  position,
                  position.with(IngestTopic.CELLS, new Mark(next, 1)),
                  Map.of(IngestTopic.CELLS, cells));
          transaction.run(connection, cluster, List.of(write), new Untold(), () -> {});
        });
  }

  /** Empty for what is none: the sink rejects it, and says so as Connect does. */
  private Optional<Cell> cell(ConsumerRecord<byte[], byte[]> record) {
    try (var reader = new EnvelopeReader(EnvelopeReader.DEFAULT_BODY_LIMIT)) {
      var cell = reader.readCell(record.key(), record.value());
      if (!cell.key().columnName().equals("REFUSED")) {
        return Optional.of(cell);
      }
      reject(record);
      return Optional.empty();
    } catch (InvalidCellException e) {
      throw new AssertionError(e);
    }
  }

  private void reject(ConsumerRecord<byte[], byte[]> record) {
    var told = new ProducerRecord<>(topology.topics().rejected(), record.key(), record.value());
    var headers =
        Map.of(
            HeaderText.CONNECT_TOPIC, record.topic(),
            HeaderText.CONNECT_PARTITION, Integer.toString(record.partition()),
            HeaderText.CONNECT_OFFSET, Long.toString(record.offset()),
            HeaderText.CONNECT_MESSAGE, REASON);
    headers.forEach((name, text) -> told.headers().add(name, text.getBytes()));
    rejected.send(told);
  }

  /** Nobody is told. */
  private static final class Untold implements Refusals {
    @Override
    public Place place(IngestTopic topic, int partition, OffsetCell cell) {
      return new Place(new UUID(7, topic.ordinal()), partition, cell.offset());
    }

    @Override
    public Optional<RefusedRecord> record(
        IngestTopic topic, int partition, OffsetCell cell, long room) {
      return Optional.empty();
    }

    @Override
    public void misfit(
        IngestTopic topic, int partition, OffsetCell cell, InvalidCellException reason) {
      throw new AssertionError(reason);
    }
  }
}
