package io.cellmesh.index;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.deployment.Pass;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/** The Streams topology of a pass: through its topics once, with one output topic an index. */
final class IndexTopology {
  static final String LOG = "log";
  static final String PROCESSOR = "indexes";
  static final String ROWS = "rows";
  static final String UNINDEXED = "unindexed";

  /**
   * A row of one index takes at most 50 KiB of the changelog's record, so that a pass with many
   * indexes can exceed a broker's default of 1 MiB.
   */
  private static final Map<String, String> CHANGELOG =
      Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(4 << 20));

  private IndexTopology() {}

  /**
   * The log and the backfill are one source, so that partition p of both is read by one task, into
   * one state: the same row has the same partition in each.
   *
   * @param topics the names of the instance's topics
   * @param shards S and P; every topic but that of the unindexed has P partitions
   * @param lagMs is told how old each record is when it is processed
   */
  static Topology of(Pass pass, Topics topics, Shards shards, AtomicLong lagMs) {
    return of(pass, topics, shards, lagMs, Stores.persistentKeyValueStore(ROWS));
  }

  /**
   * @param store is called {@value #ROWS}
   */
  static Topology of(
      Pass pass, Topics topics, Shards shards, AtomicLong lagMs, KeyValueBytesStoreSupplier store) {
    var bytes = Serdes.ByteArray();
    var definitions = pass.definitions();
    var topology = new Topology();
    topology.addSource(
        LOG,
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        pass.sources(topics).toArray(String[]::new));
    topology.addProcessor(PROCESSOR, () -> new IndexProcessor(definitions, lagMs), LOG);
    topology.addStateStore(
        Stores.keyValueStoreBuilder(store, Serdes.Bytes(), bytes).withLoggingEnabled(CHANGELOG),
        PROCESSOR);
    for (var definition : definitions) {
      topology.addSink(
          sink(definition),
          topics.index(definition.label()),
          new ByteArraySerializer(),
          new ByteArraySerializer(),
          byShardField(shards),
          PROCESSOR);
    }
    topology.addSink(
        UNINDEXED,
        topics.unindexed(),
        new ByteArraySerializer(),
        new ByteArraySerializer(),
        PROCESSOR);
    return topology;
  }

  /** The sink node of an index. */
  static String sink(IndexDefinition definition) {
    return "index." + definition.label();
  }

  /**
   * Puts an entry where the shard of its shard field stands, as a cell is put by its row_key.
   *
   * @throws WrongPartitionsException (from the partitioner) if the topic has not P partitions
   */
  static StreamPartitioner<byte[], byte[]> byShardField(Shards shards) {
    return (topic, key, value, partitions) -> {
      if (partitions != shards.partitions()) {
        throw new WrongPartitionsException(
            "%s has %d partitions instead of %d".formatted(topic, partitions, shards.partitions()));
      }
      int shard = shards.of(IndexEntryCodec.shardValue(key));
      return Optional.of(Set.of(shards.partitionOf(shard)));
    };
  }

  /** Ends the thread: the check before the next start says what is to be restored. */
  static final class WrongPartitionsException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    WrongPartitionsException(String message) {
      super(message);
    }
  }
}
