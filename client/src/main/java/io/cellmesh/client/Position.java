package io.cellmesh.client;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a write's record stands. A server that has passed it has the cell.
 *
 * @param datacenter whose ingest topic it is in
 * @param topic the first characters of Kafka's id of that topic
 * @param partition which all cells of the row share
 * @param offset rises within a partition, so that a later one covers an earlier one
 */
public record Position(String datacenter, String topic, int partition, long offset) {
  private static final Pattern TEXT =
      Pattern.compile("([^:,]{1,64}):([^:,]{1,64}):([0-9]{1,9}):([0-9]{1,18})");

  /** Reads the text form; empty if it is none. */
  public static Optional<Position> parse(String text) {
    var matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new Position(
                matcher.group(1),
                matcher.group(2),
                Integer.parseInt(matcher.group(3)),
                Long.parseLong(matcher.group(4))))
        : Optional.empty();
  }

  boolean isOfTopicOf(Position other) {
    return topic.equals(other.topic) && datacenter.equals(other.datacenter);
  }

  /** Whether a server that has passed this one has passed the other, too. */
  boolean covers(Position other) {
    return isOfTopicOf(other) && partition == other.partition && offset >= other.offset;
  }

  /** The text form, which {@link #parse} reads back: {@code DC:TOPIC:PARTITION:OFFSET}. */
  @Override
  public String toString() {
    return datacenter + ":" + topic + ":" + partition + ":" + offset;
  }
}
