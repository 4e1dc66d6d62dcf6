package io.cellmesh.worker.status;

import io.cellmesh.cell.Printable;
import io.cellmesh.cell.Shards;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.HeaderText;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Follows {@code trips.rejected}: it keeps the newest records and counts those of the last hour by
 * shard. Of a partition it reads what came since it looked last, and no more than the newest {@link
 * #MOST}; what it keeps is bounded by that, too. Thread-safe; one thread looks at a time.
 */
final class RejectedTail {
  static final int MOST = 200;

  private static final int LONGEST = 500;

  private final KafkaAccess kafka;
  private final String topic;
  private final Shards shards;
  private final Map<Integer, Long> next = new HashMap<>();

  /** Guards what follows. */
  private final Object lock = new Object();

  private final ArrayDeque<Rejected> newest = new ArrayDeque<>();
  private final TreeMap<Long, Map<Integer, Integer>> byMinute = new TreeMap<>();

  /**
   * A record that was refused.
   *
   * @param place of it in the topic of rejected records
   * @param from its place in the ingest topic; empty if that is not said
   * @param key what it was written under, shortened
   * @param row the row, if the key is one
   */
  public record Rejected(
      String place,
      Instant at,
      Optional<String> from,
      String key,
      Optional<UUID> row,
      String reason) {}

  RejectedTail(KafkaAccess kafka, String topic, Shards shards) {
    this.kafka = kafka;
    this.topic = topic;
    this.shards = shards;
  }

  /** Reads what is new, and tells what it has. */
  List<Rejected> look() {
    try (var client = Consumers.open(kafka)) {
      var offsets = TopicOffsets.of(client, topic);
      var reader = new PartitionReader(client);
      for (int partition = 0; partition < offsets.partitions(); partition++) {
        long end = offsets.end(partition);
        long known = next.getOrDefault(partition, 0L);
        // A topic that was made again ends before what is known of it.
        long from = known > end ? 0 : known;
        reader.read(
            offsets.partition(partition),
            Math.max(Math.max(offsets.begin(partition), from), end - MOST),
            end,
            this::add);
        next.put(partition, end);
      }
    }
    return newest();
  }

  /** What it has, the newest first. */
  List<Rejected> newest() {
    synchronized (lock) {
      var found = new ArrayList<>(newest);
      // Of one moment, what was read later first.
      Collections.reverse(found);
      found.sort(Comparator.comparing(Rejected::at).reversed());
      return List.copyOf(found);
    }
  }

  /** How many were refused since a moment, by shard; those without a key count as of none. */
  Map<Integer, Integer> since(Instant from) {
    var sums = new HashMap<Integer, Integer>();
    synchronized (lock) {
      byMinute
          .tailMap(minute(from), true)
          .values()
          .forEach(
              shard -> shard.forEach((number, count) -> sums.merge(number, count, Integer::sum)));
    }
    return sums;
  }

  void add(ConsumerRecord<byte[], byte[]> record) {
    var at = Instant.ofEpochMilli(record.timestamp());
    var rejected =
        new Rejected(
            "%s-%d@%d".formatted(record.topic(), record.partition(), record.offset()),
            at,
            from(record),
            key(record),
            row(record),
            shortened(
                HeaderText.of(record.headers(), HeaderText.CONNECT_MESSAGE).orElse("not said")));
    synchronized (lock) {
      newest.addLast(rejected);
      if (newest.size() > MOST) {
        newest.removeFirst();
      }
      int shard = record.key() == null ? -1 : shards.of(record.key());
      byMinute.computeIfAbsent(minute(at), m -> new HashMap<>()).merge(shard, 1, Integer::sum);
      byMinute.headMap(minute(Instant.now().minus(Duration.ofMinutes(Hour.MINUTES)))).clear();
    }
  }

  private static Optional<String> from(ConsumerRecord<byte[], byte[]> record) {
    var headers = record.headers();
    return HeaderText.of(headers, HeaderText.CONNECT_TOPIC)
        .map(
            name ->
                "%s-%s@%s"
                    .formatted(
                        name,
                        HeaderText.of(headers, HeaderText.CONNECT_PARTITION).orElse("?"),
                        HeaderText.of(headers, HeaderText.CONNECT_OFFSET).orElse("?")));
  }

  private static String key(ConsumerRecord<byte[], byte[]> record) {
    return record.key() == null ? "" : shortened(new String(record.key(), StandardCharsets.UTF_8));
  }

  private static Optional<UUID> row(ConsumerRecord<byte[], byte[]> record) {
    var key = key(record);
    try {
      return key.length() == 36 ? Optional.of(UUID.fromString(key)) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String shortened(String text) {
    var clean = Printable.of(text);
    return clean.codePointCount(0, clean.length()) <= LONGEST
        ? clean
        : clean.substring(0, clean.offsetByCodePoints(0, LONGEST)) + "…";
  }

  private static long minute(Instant at) {
    return at.getEpochSecond() / 60;
  }
}
