package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.cell.index.MisfitException;
import io.cellmesh.connect.sink.Rejections;
import io.cellmesh.connect.sink.SideBySide;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexSchema;
import io.cellmesh.storage.index.IndexTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task's core: each batch of entries becomes one transaction a cluster, all clusters at once.
 *
 * <p>A master that is away holds the whole batch back until it is there again; what the others have
 * written by then is written again, which changes nothing. Nothing is skipped.
 */
final class IndexSink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexSink.class);
  private static final int ATTEMPTS = 5;

  private final Topology topology;
  private final IndexEntryCodec codec;
  private final IndexTable table;
  private final Nodes nodes;
  private final SideBySide sideBySide;
  private final Rejections rejections;

  private IndexSink(IndexSinkConfig config, Nodes nodes, Rejections rejections) {
    this.topology = config.topology();
    this.codec = new IndexEntryCodec(config.index());
    this.table = new IndexTable(topology.instance(), config.index());
    this.nodes = nodes;
    this.rejections = rejections;
    this.sideBySide = new SideBySide("cellmesh-index-sink");
  }

  /**
   * @throws ConnectException if a reachable master lacks the index's tables or has another
   *     definition's
   */
  static IndexSink start(IndexSinkConfig config, ErrantRecordReporter reporter) {
    var pools = new Pools(config.credentials(), config.mysql());
    var sink = new IndexSink(config, new Nodes(pools), new Rejections(reporter));
    try {
      sink.checkTables(config, pools);
      return sink;
    } catch (RuntimeException e) {
      sink.close();
      throw e;
    }
  }

  /**
   * Writes all that is well-formed and rejects the rest.
   *
   * @throws RetriableException if a master is away: the same records again, please
   */
  void put(Collection<SinkRecord> records) {
    var batches = new LinkedHashMap<StorageCluster, Map<Integer, List<IndexEntry>>>();
    var malformed = new LinkedHashMap<SinkRecord, MisfitException>();
    for (var record : records) {
      try {
        var entry = entry(record);
        int shard = topology.shards().of(entry.shardValue());
        batches
            .computeIfAbsent(topology.clusterOf(shard), cluster -> new TreeMap<>())
            .computeIfAbsent(shard, s -> new ArrayList<>())
            .add(entry);
      } catch (MisfitException e) {
        malformed.put(record, e);
      }
    }
    sideBySide.run(batches.entrySet(), batch -> write(batch.getKey(), batch.getValue()));
    // Last, because all of this is done again if a write has to be.
    malformed.forEach(rejections::reject);
    rejections.await();
  }

  @Override
  public void close() {
    sideBySide.close();
    nodes.close();
  }

  private IndexEntry entry(SinkRecord record) throws MisfitException {
    if (!(record.key() instanceof byte[] key) || !(record.value() instanceof byte[] value)) {
      throw new MisfitException("record", "key and value must be bytes; use ByteArrayConverter");
    }
    var entry = codec.read(key, value);
    int partition = topology.shards().partitionOf(topology.shards().of(entry.shardValue()));
    int stands = record.originalKafkaPartition();
    if (partition != stands) {
      throw new MisfitException(
          "record", "stands in partition %d, its shard in %d".formatted(stands, partition));
    }
    return entry;
  }

  private void write(StorageCluster cluster, Map<Integer, List<IndexEntry>> shards) {
    for (int attempt = 1; ; attempt++) {
      try {
        nodes
            .of(cluster.master())
            .transact(
                connection -> {
                  for (var shard : shards.entrySet()) {
                    table.upsert(connection, shard.getKey(), shard.getValue());
                  }
                  return null;
                });
        return;
      } catch (NodeUnavailableException e) {
        throw new RetriableException(
            "the master of " + cluster.name() + " is away: " + e.getMessage(), e);
      } catch (SQLException e) {
        if (MySqlErrors.verdict(e) != MySqlErrors.Verdict.CONTENTION) {
          throw failed(cluster, e);
        }
        if (attempt == ATTEMPTS) {
          throw new RetriableException("locks on " + cluster.name() + " are in the way", e);
        }
      }
    }
  }

  private void checkTables(IndexSinkConfig config, Pools pools) {
    var schema = new IndexSchema(topology, config.index(), pools);
    for (var cluster : topology.clusters()) {
      try {
        if (!schema.exists(cluster)) {
          throw new ConnectException(
              "tables of the index %s are missing on %s (%s); create them first"
                  .formatted(config.index().name(), cluster.name(), cluster.master().address()));
        }
      } catch (SQLException e) {
        if (MySqlErrors.verdict(e) == MySqlErrors.Verdict.FATAL) {
          throw failed(cluster, e);
        }
        LOG.warn("The master of {} is away, so it could not be checked", cluster.name());
      }
    }
  }

  private static ConnectException failed(StorageCluster cluster, SQLException e) {
    return new ConnectException(
        "master of %s (%s): %s"
            .formatted(cluster.name(), cluster.master().address(), e.getMessage()),
        e);
  }
}
