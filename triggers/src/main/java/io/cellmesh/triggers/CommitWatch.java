package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Minds for how long nothing could be committed. After as long as the group waits for a silent
 * member others may have the partitions, and whatever is done here comes again. Serves one thread.
 */
final class CommitWatch {
  private final Duration session;
  private final LongSupplier clock;
  private boolean waits;
  private long since;
  private String why = "";

  /**
   * @param session after which a silent member is taken for dead
   * @param clock of nanoseconds
   */
  CommitWatch(Duration session, LongSupplier clock) {
    this.session = session;
    this.clock = clock;
  }

  /** Something is done that is not committed. */
  void begun() {
    if (!waits) {
      waits = true;
      since = clock.getAsLong();
      why = "no commit was answered";
    }
  }

  /** All that is done is committed, or what was when a commit was sent. */
  void succeeded() {
    waits = false;
  }

  /** A commit failed; the next one says it again. */
  void failed(Exception failure) {
    // That another attempt may help is all that the consumer itself says.
    why = Reason.of(failure.getCause() == null ? failure : failure.getCause()).text();
  }

  /** Why nobody may be called back for the moment; empty if somebody may. */
  Optional<String> cutOff() {
    return waits && clock.getAsLong() - since > session.toNanos()
        ? Optional.of("nothing could be committed for %d s: %s".formatted(session.toSeconds(), why))
        : Optional.empty();
  }
}
