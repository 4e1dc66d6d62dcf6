package io.cellmesh.cli.verify;

import io.cellmesh.cli.kafka.HeaderText;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.header.Headers;

/**
 * Which records went to {@code trips.rejected}, by the place that Connect's error headers name. A
 * record that was rejected twice counts once.
 */
final class Rejections {
  static final String TOPIC = HeaderText.CONNECT_TOPIC;
  static final String PARTITION = HeaderText.CONNECT_PARTITION;
  static final String OFFSET = HeaderText.CONNECT_OFFSET;

  private final Map<String, Set<Long>> offsets = new HashMap<>();

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
      add(topic.get(), Integer.parseInt(partition.get()), Long.parseLong(offset.get()));
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  void add(String topic, int partition, long offset) {
    offsets.computeIfAbsent(topic + "-" + partition, p -> new HashSet<>()).add(offset);
  }

  boolean contains(Ingested record) {
    return offsets
        .getOrDefault(record.topic() + "-" + record.partition(), Set.of())
        .contains(record.offset());
  }
}
