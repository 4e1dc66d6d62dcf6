package io.cellmesh.cli.verify;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cli.deployment.DataCenter;
import io.cellmesh.cli.deployment.IndexFile;
import io.cellmesh.cli.kafka.Consumers;
import io.cellmesh.cli.kafka.LogOffsets;
import io.cellmesh.cli.kafka.PartitionReader;
import io.cellmesh.cli.kafka.TopicOffsets;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexScan;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * What one data centre holds: its topics up to where they ended when the snapshot was opened, and
 * its tables as they are when they are read. For one thread.
 */
final class Snapshot implements AutoCloseable {
  private final DataCenter datacenter;
  private final Pools pools;
  private final KafkaConsumer<byte[], byte[]> client;
  private final PartitionReader reader;
  private final IngestedReader ingested;
  private final EnvelopeReader envelopes = new EnvelopeReader(EnvelopeReader.MAX_BODY_LIMIT);
  private final TopicOffsets cells;
  private final TopicOffsets mesh;
  private final LogOffsets log;
  private final TopicOffsets rejected;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          work -> {
            var made = new Thread(work, "cellmesh-tables");
            made.setDaemon(true);
            return made;
          });
  private Future<Entities> ahead;
  private int aheadOf = -1;

  Snapshot(DataCenter datacenter, Pools pools) {
    this.datacenter = datacenter;
    this.pools = pools;
    this.client = Consumers.open(datacenter.kafka());
    this.reader = new PartitionReader(client);
    var topics = topology().topics();
    this.ingested = new IngestedReader(topics, topology().shards());
    this.cells = TopicOffsets.of(client, topics.cells());
    this.mesh = TopicOffsets.of(client, topics.mesh());
    this.log = LogOffsets.of(client, topology());
    this.rejected = TopicOffsets.of(client, topics.rejected());
  }

  String name() {
    return datacenter.name();
  }

  Topology topology() {
    return datacenter.topology();
  }

  /** Everything that was rejected, and how many records do not say what they were. */
  Rejections rejections() {
    var rejections = new Rejections();
    for (int partition = 0; partition < rejected.partitions(); partition++) {
      read(rejected, partition, record -> rejections.add(record.headers()));
    }
    return rejections;
  }

  /** Hands out the records of {@code trips.cells}, then those of {@code trips.mesh}. */
  void ingested(int partition, Consumer<Ingested> consumer) {
    read(cells, partition, record -> consumer.accept(ingested.read(record)));
    read(mesh, partition, record -> consumer.accept(ingested.read(record)));
  }

  /** Whether both topics still have the first record that they ever held. */
  boolean keepsAllIngested(int partition) {
    return cells.begin(partition) == 0 && mesh.begin(partition) == 0;
  }

  void logged(int partition, LoggedOrderCheck check) {
    for (var at : log.partitions(partition)) {
      reader.read(
          at,
          log.begin().get(at),
          log.end().get(at),
          record -> {
            try {
              check.record(envelopes.readLog(record.key(), record.value()));
            } catch (InvalidCellException e) {
              check.unreadable(at + "@" + record.offset(), e.getMessage());
            }
          });
    }
  }

  boolean keepsWholeLog(int partition) {
    return log.partitions(partition).stream().allMatch(at -> log.begin().get(at) == 0);
  }

  /**
   * The rows of the shards of a partition, from the masters. Those of the next one, which is what
   * is asked for next, are read meanwhile.
   */
  Entities entities(int partition) throws SQLException {
    var reading = partition == aheadOf ? ahead : thread.submit(() -> read(partition));
    try {
      var entities = reading.get();
      aheadOf = partition + 1;
      ahead = aheadOf < cells.partitions() ? thread.submit(() -> read(partition + 1)) : null;
      return entities;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted while the tables were read", e);
    }
  }

  private Entities read(int partition) throws SQLException {
    var entities = new Entities();
    for (int shard : shardsOf(partition).toArray()) {
      try (var connection = pools.open(topology().clusterOf(shard).master())) {
        EntityScan.scan(connection, topology(), shard, 0, entities::add);
      }
    }
    return entities;
  }

  /** The entries of an index on one of its shards, without the removed ones. */
  void indexed(IndexFile index, int shard, Consumer<IndexEntry> consumer) throws SQLException {
    var scan = new IndexScan(topology().instance(), index.definition());
    try (var connection = pools.open(topology().clusterOf(shard).master())) {
      scan.scan(
          connection,
          shard,
          entry -> {
            if (!entry.removed()) {
              consumer.accept(entry);
            }
          });
    }
  }

  Map<Integer, ShardSum> sums(Server server, List<Integer> shards) throws SQLException {
    var sums = new TreeMap<Integer, ShardSum>();
    try (var connection = pools.open(server)) {
      for (int shard : shards) {
        sums.put(shard, ShardSum.of(connection, topology().instance(), shard));
      }
    }
    return sums;
  }

  /** Whether records came into a topic after the snapshot was opened. */
  boolean hasMoved() {
    return !LogOffsets.of(client, topology(), log.shape()).end().equals(log.end())
        || Stream.of(cells, mesh)
            .anyMatch(topic -> !TopicOffsets.of(client, topic.topic()).end().equals(topic.end()));
  }

  @Override
  public void close() {
    thread.shutdownNow();
    client.close();
    ingested.close();
    envelopes.close();
  }

  private IntStream shardsOf(int partition) {
    var shards = topology().shards();
    return IntStream.range(0, shards.count()).filter(s -> shards.partitionOf(s) == partition);
  }

  private void read(
      TopicOffsets topic,
      int partition,
      Consumer<org.apache.kafka.clients.consumer.ConsumerRecord<byte[], byte[]>> consumer) {
    reader.read(topic.partition(partition), topic.begin(partition), topic.end(partition), consumer);
  }
}
