package io.cellmesh.operations.verify;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.connect.converter.EnvelopeConverter;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexScan;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogOffsets;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What one data centre holds: its topics up to where they ended when the snapshot was taken, and
 * its tables as they are when they are read. Any number of threads may share it.
 */
final class Snapshot {
  private final DataCenter datacenter;
  private final Pools pools;
  private final Optional<IngestArchive> archive;
  private final Supplier<Optional<EnvelopeConverter>> converters;
  private final TopicOffsets cells;
  private final TopicOffsets mesh;
  private final LogOffsets log;
  private final TopicOffsets rejected;
  private final Ledger ledger;

  /** Read when it is first asked for. */
  private Rejections rejections;

  Snapshot(DataCenter datacenter, Pools pools) {
    this(datacenter, pools, Optional.empty(), Optional::empty);
  }

  /**
   * @param archive of what the ingest topics no longer retain, if there is one
   * @param converters makes the converter of the sink for a thread, if it has one
   */
  Snapshot(
      DataCenter datacenter,
      Pools pools,
      Optional<IngestArchive> archive,
      Supplier<Optional<EnvelopeConverter>> converters) {
    this.datacenter = datacenter;
    this.pools = pools;
    this.archive = archive;
    this.converters = converters;
    var topics = topology().topics();
    this.ledger = Ledger.of(topology(), pools, datacenter.kafka());
    try (var client = Consumers.open(datacenter.kafka())) {
      this.cells = TopicOffsets.of(client, topics.cells());
      this.mesh = TopicOffsets.of(client, topics.mesh());
      this.log = LogOffsets.of(client, topology());
      this.rejected = TopicOffsets.of(client, topics.rejected());
    }
  }

  String name() {
    return datacenter.name();
  }

  Topology topology() {
    return datacenter.topology();
  }

  /** Everything that was rejected, by the records that say what they were. */
  synchronized Rejections rejections() {
    if (rejections == null) {
      var found = new Rejections();
      try (var client = Consumers.open(datacenter.kafka())) {
        var reader = new PartitionReader(client);
        for (int partition = 0; partition < rejected.partitions(); partition++) {
          reader.read(
              rejected.partition(partition),
              rejected.begin(partition),
              rejected.end(partition),
              record -> found.add(record.headers()));
        }
      }
      rejections = found;
    }
    return rejections;
  }

  Ledger ledger() {
    return ledger;
  }

  /** Reads the topics; for one thread. */
  SnapshotTopics topics() {
    return new SnapshotTopics(datacenter, cells, mesh, log, archive, converters.get());
  }

  boolean keepsWholeLog(int partition) {
    return log.partitions(partition).stream().allMatch(at -> log.begin().get(at) == 0);
  }

  /** The rows of the shards of a partition, from the masters. */
  Entities entities(int partition) throws SQLException {
    var entities = new Entities();
    var shards = topology().shards();
    for (int shard = 0; shard < shards.count(); shard++) {
      if (shards.partitionOf(shard) == partition) {
        try (var connection = pools.open(topology().clusterOf(shard).master())) {
          EntityScan.scan(connection, topology(), shard, 0, entities::add);
        }
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

  /** Whether records came into a topic after the snapshot was taken. */
  boolean hasMoved() {
    try (var client = Consumers.open(datacenter.kafka())) {
      return !LogOffsets.of(client, topology(), log.shape()).end().equals(log.end())
          || Stream.of(cells, mesh)
              .anyMatch(topic -> !TopicOffsets.of(client, topic.topic()).end().equals(topic.end()));
    }
  }
}
