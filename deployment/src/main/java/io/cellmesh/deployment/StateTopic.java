package io.cellmesh.deployment;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TimeoutException;

/** Topics that hold the newest value of each key, which whoever starts reads to their end. */
public final class StateTopic {
  private static final Duration POLL = Duration.ofMillis(200);

  private static final int SEGMENT_BYTES = 16 << 20;
  private static final Duration SEGMENT_AGE = Duration.ofHours(1);

  /** The least that Kafka takes: some ten thousand places of links. */
  private static final int SEGMENT_BYTES_OF_PLACES = 1 << 20;

  private static final Duration SEGMENT_AGE_OF_PLACES = Duration.ofMinutes(1);

  /** For how long nothing may come of what is there. */
  private static final Duration STALLED = Duration.ofSeconds(30);

  private StateTopic() {}

  /**
   * The settings that such a topic must have. It is compacted soon: a segment that is still written
   * to never is, and by default it is for a week.
   */
  public static Map<String, String> settings() {
    return settings(SEGMENT_BYTES, SEGMENT_AGE);
  }

  /**
   * Those of {@code trips.mesh-place}: a link writes a place for each partition every second, and
   * reads all that is there when it begins, as do its peers' links.
   */
  public static Map<String, String> settingsOfPlaces() {
    return settings(SEGMENT_BYTES_OF_PLACES, SEGMENT_AGE_OF_PLACES);
  }

  /**
   * The same, where what one partition brings in such a time, and at most so many bytes, is read as
   * it was written.
   */
  static Map<String, String> settings(int segmentBytes, Duration segmentAge) {
    return Map.of(
        TopicConfig.CLEANUP_POLICY_CONFIG,
        TopicConfig.CLEANUP_POLICY_COMPACT,
        TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
        "0.1",
        TopicConfig.SEGMENT_BYTES_CONFIG,
        Integer.toString(segmentBytes),
        TopicConfig.SEGMENT_MS_CONFIG,
        Long.toString(segmentAge.toMillis()));
  }

  /**
   * Hands over what the partitions that are assigned have now, from where the consumer stands: of
   * each key the newest value, and older ones that did not come together with it.
   *
   * @param where it is, for the message
   * @throws TimeoutException if nothing of it comes for half a minute
   */
  public static <K, V> void readToEnd(
      String where,
      org.apache.kafka.clients.consumer.Consumer<K, V> consumer,
      Consumer<ConsumerRecord<K, V>> reader) {
    readToEnd(where, consumer, consumer.assignment(), reader, STALLED);
  }

  /**
   * As above, of some of the partitions that are assigned: as long as they are, for one that has
   * been taken away is waited for by nobody.
   */
  public static <K, V> void readToEnd(
      String where,
      org.apache.kafka.clients.consumer.Consumer<K, V> consumer,
      Set<TopicPartition> partitions,
      Consumer<ConsumerRecord<K, V>> reader) {
    readToEnd(where, consumer, partitions, reader, STALLED);
  }

  static <K, V> void readToEnd(
      String where,
      org.apache.kafka.clients.consumer.Consumer<K, V> consumer,
      Set<TopicPartition> partitions,
      Consumer<ConsumerRecord<K, V>> reader,
      Duration stalled) {
    var ends = consumer.endOffsets(partitions);
    long movedAt = System.nanoTime();
    long before = -1;
    for (long left = left(consumer, ends); left > 0; left = left(consumer, ends)) {
      if (left != before) {
        movedAt = System.nanoTime();
        before = left;
      } else if (System.nanoTime() - movedAt > stalled.toNanos()) {
        throw new TimeoutException(
            "%s: no record came for %d s of the %d that are there"
                .formatted(where, stalled.toSeconds(), left));
      }
      NewestOfKeys.of(consumer.poll(POLL)).forEach(reader);
    }
  }

  private static long left(
      org.apache.kafka.clients.consumer.Consumer<?, ?> consumer, Map<TopicPartition, Long> ends) {
    var assigned = consumer.assignment();
    return ends.entrySet().stream()
        .filter(end -> assigned.contains(end.getKey()))
        .mapToLong(end -> Math.max(0, end.getValue() - consumer.position(end.getKey())))
        .sum();
  }
}
