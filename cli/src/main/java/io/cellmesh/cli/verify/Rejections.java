package io.cellmesh.cli.verify;

import java.nio.charset.StandardCharsets;
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
  static final String TOPIC = "__connect.errors.topic";
  static final String PARTITION = "__connect.errors.partition";
  static final String OFFSET = "__connect.errors.offset";

  private final Map<String, Set<Long>> offsets = new HashMap<>();

  /**
   * Takes in a record of {@code trips.rejected}.
   *
   * @return false if its headers do not say where it comes from
   */
  boolean add(Headers headers) {
    var topic = text(headers, TOPIC);
    var partition = text(headers, PARTITION);
    var offset = text(headers, OFFSET);
    if (topic == null || partition == null || offset == null) {
      return false;
    }
    try {
      add(topic, Integer.parseInt(partition), Long.parseLong(offset));
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

  private static String text(Headers headers, String name) {
    var header = headers.lastHeader(name);
    return header == null || header.value() == null
        ? null
        : new String(header.value(), StandardCharsets.UTF_8);
  }
}
