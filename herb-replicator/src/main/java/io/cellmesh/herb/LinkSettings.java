package io.cellmesh.herb;

import io.cellmesh.deployment.KafkaAccess;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** The Streams settings of a link. */
final class LinkSettings {
  /** The largest record of the log and some room for its headers. */
  private static final int MAX_REQUEST_BYTES = (4 << 20) + (64 << 10);

  private LinkSettings() {}

  /**
   * @param id the consumer group on the peer's brokers; it names this data centre, since every peer
   *     of the peer has its own there
   * @param peer the peer's brokers; what its settings say of buffers and sizes counts
   * @param tuning of this link
   */
  static Properties of(String id, KafkaAccess peer, LinkTuning tuning) {
    var settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, id);
    settings.putAll(peer.client());
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
    // The newer group protocol wants clients of Streams' own making.
    settings.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "classic");
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, tuning.threads());
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 1_000L);
    settings.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 200);
    // Where it begins is committed before; an offset that is gone is no reason to begin elsewhere.
    consumer(settings, ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    consumer(settings, ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    farAway(settings, peer);
    consumer(settings, ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000);
    consumer(settings, ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 3_000);
    producer(tuning.compression())
        .forEach((name, value) -> settings.put(StreamsConfig.producerPrefix(name), value));
    return settings;
  }

  /**
   * A connection carries a buffer's worth each round trip: of Kafka's 64 KiB, 0.8 MB/s where that
   * takes 80 ms. Left to the system, a buffer grows with what the way holds; a size that is set
   * forbids that.
   */
  private static void farAway(Properties settings, KafkaAccess peer) {
    Map.of(
            ConsumerConfig.RECEIVE_BUFFER_CONFIG,
            -1,
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
            8 << 20,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            4 << 20)
        .forEach(
            (name, value) -> {
              if (!peer.settings().containsKey(name)) {
                consumer(settings, name, value);
              }
            });
  }

  private static void consumer(Properties settings, String name, Object value) {
    settings.put(StreamsConfig.mainConsumerPrefix(name), value);
  }

  /**
   * What every link writes with, whichever way it reads.
   *
   * @param compression as Kafka calls it
   */
  static Map<String, Object> producer(String compression) {
    var settings = new HashMap<String, Object>();
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // A batch that is refused for good must not be overtaken, see FailStopProducer; batches that
    // are larger than Kafka's own make up for it.
    settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10);
    // A batch that expired would be overtaken by later ones and sent again behind them.
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 1);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 16L << 20);
    return settings;
  }
}
