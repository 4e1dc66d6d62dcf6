package io.cellmesh.e2e.faults;

import io.cellmesh.cell.Envelope;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.Consumers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * How far the log has come in each shard. Counting its records would not tell: after a crash the
 * source says some of them again.
 */
final class LogEnds implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<byte[], byte[]> client;
  private final List<TopicPartition> partitions;
  private final TreeMap<Integer, Long> highest = new TreeMap<>();

  LogEnds(FaultStack stack) {
    this.client = Consumers.open(KafkaAccess.plain(stack.bootstrap()));
    this.partitions =
        IntStream.range(0, stack.topology().shards().partitions())
            .mapToObj(partition -> new TopicPartition("trips.log", partition))
            .toList();
    client.assign(partitions);
    client.seekToBeginning(partitions);
  }

  /** The highest added_id of each shard in the log, up to its present end. */
  TreeMap<Integer, Long> read() {
    var ends = client.endOffsets(partitions);
    while (partitions.stream().anyMatch(at -> client.position(at) < ends.get(at))) {
      for (var record : client.poll(POLL)) {
        highest.merge(
            (int) header(record, Envelope.SHARD_HEADER),
            header(record, Envelope.ADDED_ID_HEADER),
            Math::max);
      }
    }
    return new TreeMap<>(highest);
  }

  @Override
  public void close() {
    client.close();
  }

  private static long header(ConsumerRecord<byte[], byte[]> record, String name) {
    return Long.parseLong(
        new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8));
  }
}
