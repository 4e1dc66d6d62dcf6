package io.cellmesh.bench;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.devstack.DevStackException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * When the broker had which record of the log and of the index topics, told in {@link
 * System#nanoTime} and to the millisecond; read when all is over, so that it costs nothing before.
 */
final class Arrivals implements AutoCloseable {
  private static final int UUID_LENGTH = 36;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<String, Map<TopicPartition, Long>> begins = new LinkedHashMap<>();
  private final String log;
  private final IndexTopics topics;
  private final long wallMinusNano = System.currentTimeMillis() * 1_000_000L - System.nanoTime();

  private Arrivals(LogServers servers) {
    this.consumer = LogTopic.consumer(servers.broker());
    this.log = servers.topology().topics().log();
    this.topics = new IndexTopics(servers);
  }

  /** What comes from now on; the broker must note the times. */
  static Arrivals from(LogServers servers, List<IndexDefinition> indexes) {
    var arrivals = new Arrivals(servers);
    arrivals.begin(arrivals.log);
    indexes.forEach(index -> arrivals.begin(arrivals.topics.name(index)));
    return arrivals;
  }

  Map<UUID, Long> log() {
    return read(log);
  }

  Map<UUID, Long> entries(IndexDefinition index) {
    return read(topics.name(index));
  }

  @Override
  public void close() {
    consumer.close();
  }

  private void begin(String topic) {
    var partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    begins.put(topic, consumer.endOffsets(partitions));
  }

  /** Keys end with the row key. */
  private Map<UUID, Long> read(String topic) {
    var from = begins.get(topic);
    consumer.assign(from.keySet());
    from.forEach(consumer::seek);
    var ends = consumer.endOffsets(from.keySet());
    var times = new HashMap<UUID, Long>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      for (var record : consumer.poll(Duration.ofMillis(100))) {
        var key = new String(record.key(), StandardCharsets.UTF_8);
        times.putIfAbsent(
            UUID.fromString(key.substring(key.length() - UUID_LENGTH)),
            record.timestamp() * 1_000_000L - wallMinusNano);
      }
      if (System.nanoTime() > deadline) {
        throw new DevStackException(topic + " can't be read");
      }
    }
    return times;
  }
}
