package io.cellmesh.cell;

import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Where a record stands in the ingest topic of a data centre, as Kafka acknowledged it. A server
 * has its cell, or never will, once the server's position has passed it.
 *
 * @param topic the first {@value #TOPIC_LENGTH} characters of Kafka's id of the topic: one that is
 *     made again under its name has another
 */
public record RecordPosition(String datacenter, String topic, int partition, long offset) {
  /** Enough to tell the few topics apart that ever had the name. */
  public static final int TOPIC_LENGTH = 8;

  private static final Pattern TEXT =
      Pattern.compile("([a-z0-9_]{1,48}):([A-Za-z0-9_-]{8}):([0-9]{1,9}):([0-9]{1,18})");

  /**
   * @param topicId Kafka's id of the topic
   */
  public static RecordPosition of(String datacenter, UUID topicId, int partition, long offset) {
    return new RecordPosition(datacenter, topicOf(topicId), partition, offset);
  }

  /** The part of a topic's id that stands in a position, as Kafka's tools write it. */
  public static String topicOf(UUID topicId) {
    var whole = Base64.getUrlEncoder().withoutPadding().encodeToString(UuidBytes.of(topicId));
    return whole.substring(0, TOPIC_LENGTH);
  }

  /** Reads the text form; empty if it is none. */
  public static Optional<RecordPosition> parse(String text) {
    var matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new RecordPosition(
                matcher.group(1),
                matcher.group(2),
                Integer.parseInt(matcher.group(3)),
                Long.parseLong(matcher.group(4))))
        : Optional.empty();
  }

  /** The text form, which {@link #parse} reads back: {@code DC:TOPIC:PARTITION:OFFSET}. */
  @Override
  public String toString() {
    return "%s:%s:%d:%d".formatted(datacenter, topic, partition, offset);
  }
}
