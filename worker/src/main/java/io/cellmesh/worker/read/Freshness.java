package io.cellmesh.worker.read;

import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Position;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;

/**
 * What a worker saw of a master's positions, and when: whatever the master had at the last of those
 * moments whose positions a minion has passed, the minion has, too. So its answer lacks at most
 * what came since, by no clock but the worker's. Thread-safe.
 */
final class Freshness {
  /** At five a second, two minutes; a minion that is further behind is told as unknown. */
  private static final int MOST = 600;

  private final ArrayDeque<Seen> seen = new ArrayDeque<>();

  private record Seen(long asked, Map<Integer, Position> positions) {}

  /**
   * Notes what the master said.
   *
   * @param asked when the question was sent, in nanoseconds: what came since is not in the answer
   */
  synchronized void saw(long asked, Map<Integer, Position> positions) {
    seen.addFirst(new Seen(asked, Map.copyOf(positions)));
    while (seen.size() > MOST) {
      seen.removeLast();
    }
  }

  /** How long ago the master was asked that last answered; empty if it never was. */
  synchronized Optional<Duration> age(long now) {
    return seen.isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(now - seen.getFirst().asked()));
  }

  /**
   * How much the answer of a minion may lack.
   *
   * @param positions of the minion, in the snapshot that the answer comes from
   * @return empty if nothing that was seen tells
   */
  synchronized Optional<Duration> staleUpTo(Map<Integer, Position> positions, long now) {
    return seen.stream()
        .filter(master -> passed(positions, master.positions()))
        .findFirst()
        .map(master -> Duration.ofNanos(now - master.asked()));
  }

  private static boolean passed(Map<Integer, Position> minion, Map<Integer, Position> master) {
    return minion.entrySet().stream()
        .allMatch(
            entry ->
                master.containsKey(entry.getKey())
                    && behind(master.get(entry.getKey()), entry.getValue()));
  }

  private static boolean behind(Position one, Position other) {
    return one.of(IngestTopic.CELLS) <= other.of(IngestTopic.CELLS)
        && one.of(IngestTopic.MESH) <= other.of(IngestTopic.MESH);
  }
}
