package io.cellmesh.herb;

import io.cellmesh.cell.Shards;
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

  /**
   * Room for the largest record and a batch for each of some partitions; what was used once is
   * kept.
   */
  private static final long BUFFER_BYTES = MAX_REQUEST_BYTES + (1L << 20);

  private static final int MAX_PARTITION_FETCH_BYTES = 4 << 20;
  private static final int MAX_POLL_RECORDS = 1_000;

  /** A consumer that waits longer is taken for dead, after minutes. */
  private static final int MAX_FETCH_SECONDS = 10;

  /** So many bytes are no few cells, which would be worth waiting for more. */
  private static final int MUCH = 256 << 10;

  private LinkSettings() {}

  /**
   * @param id the consumer group on the peer's brokers; it names this data centre, since every peer
   *     of the peer has its own there
   * @param peer the peer's brokers; what its settings say of buffers and sizes counts
   * @param shards P of which is how many partitions share what may wait
   * @param tuning of this link
   */
  static Properties of(String id, KafkaAccess peer, Shards shards, LinkTuning tuning) {
    var limits = tuning.limits();
    var settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, id);
    settings.putAll(peer.quiet());
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
    // The newer group protocol wants clients of Streams' own making.
    settings.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "classic");
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, tuning.threads());
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 1_000L);
    settings.put(
        StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG,
        Math.max(1, limits.records() / shards.partitions()));
    // Where it begins is committed before; an offset that is gone is no reason to begin elsewhere.
    consumer(settings, ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    consumer(settings, ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    farAway(settings, peer, limits);
    consumer(
        settings,
        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
        Math.min(MAX_POLL_RECORDS, limits.records()));
    consumer(settings, ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000);
    consumer(settings, ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 3_000);
    linger(settings, tuning);
    producer(tuning.compression(), tuning.linger())
        .forEach((name, value) -> settings.put(StreamsConfig.producerPrefix(name), value));
    return settings;
  }

  /**
   * A connection carries a buffer's worth each round trip: of Kafka's 64 KiB, 0.8 MB/s where that
   * takes 80 ms. Left to the system, a buffer grows with what the way holds; a size that is set
   * forbids that.
   */
  private static void farAway(Properties settings, KafkaAccess peer, LinkLimits limits) {
    int bytes = fetchBytes(limits);
    var sizes =
        Map.of(
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
            bytes,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            Math.min(MAX_PARTITION_FETCH_BYTES, bytes));
    sizes.forEach(
        (name, value) -> {
          if (limits.bytesPerSecond().isPresent() || !peer.settings().containsKey(name)) {
            consumer(settings, name, value);
          }
        });
    if (!peer.settings().containsKey(ConsumerConfig.RECEIVE_BUFFER_CONFIG)) {
      consumer(settings, ConsumerConfig.RECEIVE_BUFFER_CONFIG, -1);
    }
  }

  /** Brokers answer once in such a time with what has come by then, or sooner with much. */
  private static void linger(Properties settings, LinkTuning tuning) {
    if (tuning.linger() > 0) {
      consumer(
          settings,
          ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
          Math.min(MUCH, fetchBytes(tuning.limits())));
      consumer(settings, ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, tuning.linger());
    }
  }

  private static int fetchBytes(LinkLimits limits) {
    var pace = limits.bytesPerSecond();
    return pace.isEmpty()
        ? limits.fetchBytes()
        : (int) Math.min(limits.fetchBytes(), (long) MAX_FETCH_SECONDS * pace.getAsInt());
  }

  private static void consumer(Properties settings, String name, Object value) {
    settings.put(StreamsConfig.mainConsumerPrefix(name), value);
  }

  /**
   * What every link writes with, whichever way it reads.
   *
   * @param compression as Kafka calls it
   * @param linger milliseconds that a record may wait for more
   */
  static Map<String, Object> producer(String compression, int linger) {
    var settings = new HashMap<String, Object>();
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // A batch that is refused for good must not be overtaken, see FailStopProducer; batches that
    // are larger than Kafka's own make up for it.
    settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10);
    // A batch that expired would be overtaken by later ones and sent again behind them.
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, Math.max(1, linger));
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
    return settings;
  }
}
