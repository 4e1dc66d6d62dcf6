package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.cell.index.MisfitException;
import org.apache.kafka.connect.sink.SinkRecord;

/** Turns records into entries, and says where they belong. */
final class Intake {
  private final Topology topology;
  private final IndexEntryCodec codec;

  Intake(Topology topology, IndexDefinition definition) {
    this.topology = topology;
    this.codec = new IndexEntryCodec(definition);
  }

  /**
   * An entry with its place.
   *
   * @param cluster the name of the cluster that owns the shard
   */
  record Placed(String cluster, int shard, IndexEntry entry) {}

  /** The cluster that a record's key belongs to; the value is not looked at. */
  String cluster(SinkRecord record) throws MisfitException {
    if (record.key() instanceof byte[] key) {
      try {
        return cluster(topology.shards().of(IndexEntryCodec.shardValue(key)));
      } catch (IllegalArgumentException e) {
        throw new MisfitException("record", e.getMessage());
      }
    }
    throw new MisfitException("record", "the key must be bytes; use ByteArrayConverter");
  }

  /**
   * Reads a record.
   *
   * @throws MisfitException naming the field and the rule that it breaks
   */
  Placed read(SinkRecord record) throws MisfitException {
    if (!(record.key() instanceof byte[] key) || !(record.value() instanceof byte[] value)) {
      throw new MisfitException("record", "key and value must be bytes; use ByteArrayConverter");
    }
    var entry = codec.read(key, value);
    int shard = topology.shards().of(entry.shardValue());
    int partition = topology.shards().partitionOf(shard);
    int stands = record.originalKafkaPartition();
    if (partition != stands) {
      throw new MisfitException(
          "record", "stands in partition %d, its shard in %d".formatted(stands, partition));
    }
    return new Placed(cluster(shard), shard, entry);
  }

  private String cluster(int shard) {
    return topology.clusterOf(shard).name();
  }
}
