package io.cellmesh.index;

import io.cellmesh.deployment.KafkaAccess;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * How the application of a pass runs.
 *
 * @param kafka the brokers, and how every client signs on to them
 * @param stateDir where the state stores lie; lost, they are restored from their changelog
 * @param threads stream threads
 * @param standbys copies of the state that other processes keep up to date
 * @param replication of the changelog topic; -1 leaves it to the broker
 */
record IndexSettings(KafkaAccess kafka, Path stateDir, int threads, int standbys, int replication) {
  /** The largest record of the log and some room for its headers: one may go to the unindexed. */
  private static final int MAX_REQUEST_BYTES = (4 << 20) + (64 << 10);

  Properties properties(String applicationId) {
    var settings = new Properties();
    // Streams hands what it doesn't know itself to each of its clients.
    settings.putAll(kafka.client());
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
    settings.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, threads);
    settings.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, standbys);
    settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, replication);
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
    // The newer group protocol has neither standbys nor static members yet.
    settings.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "classic");
    settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
    settings.put(StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG, UsableTimestamps.class);
    // Each commit waits for everything in flight; what a longer interval costs is a second's worth
    // of repeated entries after a crash.
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 1_000L);
    settings.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 200);
    // Log and backfill may come in any order; neither waits for the other.
    settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, -1L);
    // How soon a process that has joined takes over what it has made a copy of; the least allowed.
    settings.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000L);
    settings.put(restore(ConsumerConfig.FETCH_MAX_BYTES_CONFIG), 8 << 20);
    // Where it begins is committed before; an offset that is gone is no reason to begin elsewhere.
    settings.put(consumer(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "none");
    settings.put(consumer(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
    settings.put(consumer(ConsumerConfig.FETCH_MAX_BYTES_CONFIG), 8 << 20);
    settings.put(consumer(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 10_000);
    settings.put(consumer(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 3_000);
    // For a backlog; what keeps up does not linger, see PromptClients.
    settings.put(producer(ProducerConfig.LINGER_MS_CONFIG), 20);
    settings.put(producer(ProducerConfig.BATCH_SIZE_CONFIG), 64 << 10);
    settings.put(producer(ProducerConfig.ACKS_CONFIG), "all");
    settings.put(producer(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG), true);
    settings.put(producer(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG), Integer.MAX_VALUE);
    settings.put(producer(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), MAX_REQUEST_BYTES);
    settings.put(producer(ProducerConfig.BUFFER_MEMORY_CONFIG), 16L << 20);
    return settings;
  }

  private static String restore(String name) {
    return StreamsConfig.restoreConsumerPrefix(name);
  }

  private static String consumer(String name) {
    return StreamsConfig.mainConsumerPrefix(name);
  }

  private static String producer(String name) {
    return StreamsConfig.producerPrefix(name);
  }
}
