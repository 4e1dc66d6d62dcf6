package io.cellmesh.worker.status;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Something that is not as it should be.
 *
 * @param since when this worker first saw it, or what tells it says that it began; empty if nobody
 *     knows
 * @param atLeast whether it may have begun before
 * @param commands that look at it or mend it, the next one first
 */
public record Alarm(
    Level level,
    String what,
    Optional<Instant> since,
    boolean atLeast,
    String why,
    List<String> commands) {
  public Alarm {
    commands = List.copyOf(commands);
  }

  /** How bad it is. */
  public enum Level {
    /** A part does not do its work, or records are missing. */
    DOWN,
    /** Cells or copies wait for longer than they are on their way. */
    WAITS,
    /** Worth a look; nothing stands still for it. */
    NOTE
  }
}
