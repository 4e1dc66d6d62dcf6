package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.cell.index.MisfitException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.sink.SinkRecord;

/** Turns records into entries, and says where they belong. */
final class EntryDecoder {
  private final Topology topology;
  private final List<IndexEntryCodec> codecs = new ArrayList<>();
  private final Map<String, Integer> indexes = new HashMap<>();

  EntryDecoder(Topology topology, List<IndexDefinition> definitions) {
    this.topology = topology;
    for (var definition : definitions) {
      indexes.put(topology.topics().index(definition.label()), codecs.size());
      codecs.add(new IndexEntryCodec(definition));
    }
  }

  /**
   * An entry with its place.
   *
   * @param cluster the name of the cluster that owns the shard
   * @param index the place of its index among the definitions
   */
  record Placed(String cluster, int index, int shard, IndexEntry entry) {}

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
    var index = indexes.get(record.originalTopic());
    if (index == null) {
      throw new MisfitException(
          "record", "stands in %s, the topic of no index here".formatted(record.originalTopic()));
    }
    var entry = codecs.get(index).read(key, value);
    int shard = topology.shards().of(entry.shardValue());
    int partition = topology.shards().partitionOf(shard);
    int stands = record.originalKafkaPartition();
    if (partition != stands) {
      throw new MisfitException(
          "record", "stands in partition %d, its shard in %d".formatted(stands, partition));
    }
    return new Placed(cluster(shard), index, shard, entry);
  }

  private String cluster(int shard) {
    return topology.clusterOf(shard).name();
  }
}
