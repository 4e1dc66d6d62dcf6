package io.cellmesh.operations.verify;

import io.cellmesh.topics.HeaderText;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;

/**
 * Which records went to {@code trips.rejected}, by their identity: the place that Connect's error
 * headers name. A record that was told twice counts once.
 */
final class Rejections {
  static final String TOPIC = HeaderText.CONNECT_TOPIC;
  static final String PARTITION = HeaderText.CONNECT_PARTITION;
  static final String OFFSET = HeaderText.CONNECT_OFFSET;

  /** When the original was written, in milliseconds. */
  static final String TIMESTAMP = "__cellmesh.rejected.timestamp";

  /** Stands for a time that was not said. */
  private static final long UNKNOWN = -1;

  private final Map<String, Map<Long, Long>> timestamps = new HashMap<>();
  private long repeats;

  /**
   * Takes in a record of {@code trips.rejected}.
   *
   * @return false if its headers do not say where it comes from
   */
  boolean add(Headers headers) {
    var topic = HeaderText.of(headers, TOPIC);
    var partition = HeaderText.of(headers, PARTITION);
    var offset = HeaderText.of(headers, OFFSET);
    if (topic.isEmpty() || partition.isEmpty() || offset.isEmpty()) {
      return false;
    }
    try {
      add(
          topic.get(),
          Integer.parseInt(partition.get()),
          Long.parseLong(offset.get()),
          HeaderText.of(headers, TIMESTAMP).map(Long::valueOf));
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /**
   * @param timestamp of the original, in milliseconds, if that was said
   */
  void add(String topic, int partition, long offset, Optional<Long> timestamp) {
    var known =
        timestamps
            .computeIfAbsent(topic + "-" + partition, p -> new HashMap<>())
            .put(offset, timestamp.orElse(UNKNOWN));
    if (known != null) {
      repeats++;
    }
  }

  boolean contains(Ingested record) {
    return at(record).isPresent();
  }

  /**
   * Whether it is this record that was rejected. Another one may have had its place, before the
   * topic was made again.
   */
  boolean same(Ingested record) {
    return at(record)
        .filter(millis -> millis == UNKNOWN || millis == record.producedAt().toEpochMilli())
        .isPresent();
  }

  /** How often a record was told that had been told before. */
  long repeats() {
    return repeats;
  }

  private Optional<Long> at(Ingested record) {
    return Optional.ofNullable(
        timestamps
            .getOrDefault(record.topic() + "-" + record.partition(), Map.of())
            .get(record.offset()));
  }
}
