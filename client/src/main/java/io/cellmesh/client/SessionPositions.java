package io.cellmesh.client;

import io.cellmesh.cell.Printable;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The latest position of each partition that a session wrote to, so at most as many as an instance
 * has partitions. Safe for several threads.
 */
final class SessionPositions {
  private final TreeMap<Integer, Position> latest = new TreeMap<>();

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static SessionPositions parse(String text) {
    var positions = new SessionPositions();
    if (!text.isEmpty()) {
      for (var each : text.split(",", -1)) {
        positions.add(
            Position.parse(each)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "positions = \"%s\": not DC:TOPIC:PARTITION:OFFSET"
                                .formatted(Printable.of(Shortened.of(each))))));
      }
    }
    return positions;
  }

  /**
   * Keeps a position unless one that covers it is there. One of another topic replaces all: the
   * ingest topic was made again, and workers refuse positions of the old one.
   */
  synchronized void add(Position position) {
    if (latest.values().stream().anyMatch(each -> !each.isOfTopicOf(position))) {
      latest.clear();
    }
    latest.merge(position.partition(), position, (old, now) -> old.covers(now) ? old : now);
  }

  /** What {@code not-before} takes; empty if nothing was written. */
  @Override
  public synchronized String toString() {
    return latest.values().stream().map(Position::toString).collect(Collectors.joining(","));
  }
}
