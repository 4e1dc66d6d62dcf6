package io.cellmesh.index;

import io.cellmesh.cell.index.IndexDefinition;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * How the application runs.
 *
 * @param bootstrap the Kafka brokers to ask first
 * @param stateDir where the state stores lie; lost, they are restored from their changelog
 * @param threads stream threads
 * @param replication of the changelog topic; -1 leaves it to the broker
 */
record IndexSettings(String bootstrap, Path stateDir, int threads, int replication) {
  /** The largest record of the log and some room for its headers: one may go to the unindexed. */
  private static final int MAX_REQUEST_BYTES = (4 << 20) + (64 << 10);

  /**
   * The application's id: its consumer group, and the prefix of its changelog topic.
   *
   * <p>It changes with the set of definitions. So an index that is added or altered starts a new
   * pass from the log's beginning, which says the other entries again, harmlessly; with the old id
   * the new index would miss every cell before it.
   */
  static String applicationId(String instance, List<IndexDefinition> definitions) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      definitions.stream()
          .sorted(Comparator.comparing(IndexDefinition::name))
          .map(IndexDefinition::digest)
          .forEach(d -> digest.update(d.getBytes(StandardCharsets.US_ASCII)));
      return instance + "-index-" + HexFormat.of().formatHex(digest.digest()).substring(0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  Properties properties(String applicationId) {
    var settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    settings.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, threads);
    settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, replication);
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
    // The newer group protocol has neither standbys nor static members yet.
    settings.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "classic");
    settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
    // Each commit waits for everything in flight; what a longer interval costs is a second's worth
    // of repeated entries after a crash.
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 1_000L);
    settings.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 200);
    settings.put(consumer(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    settings.put(consumer(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
    settings.put(consumer(ConsumerConfig.FETCH_MAX_BYTES_CONFIG), 8 << 20);
    settings.put(consumer(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 10_000);
    settings.put(consumer(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 3_000);
    // Streams' own default of 100 ms would be most of an entry's way.
    settings.put(producer(ProducerConfig.LINGER_MS_CONFIG), 1);
    settings.put(producer(ProducerConfig.ACKS_CONFIG), "all");
    settings.put(producer(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG), true);
    settings.put(producer(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG), Integer.MAX_VALUE);
    settings.put(producer(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), MAX_REQUEST_BYTES);
    settings.put(producer(ProducerConfig.BUFFER_MEMORY_CONFIG), 16L << 20);
    return settings;
  }

  private static String consumer(String name) {
    return StreamsConfig.mainConsumerPrefix(name);
  }

  private static String producer(String name) {
    return StreamsConfig.producerPrefix(name);
  }
}
