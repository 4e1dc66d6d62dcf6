package io.cellmesh.worker.site;

import io.cellmesh.cell.RecordPosition;
import io.cellmesh.topics.RejectionSearch;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Lane;
import io.cellmesh.worker.load.OverloadedException;
import io.cellmesh.worker.load.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out why records were rejected, one after the other, for there are few: what the sink would
 * refuse is refused before it is written. Thread-safe.
 */
final class RejectionReasons implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RejectionReasons.class);

  private static final int WAITING = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** How far back it is looked for: nobody waits longer, and clocks differ. */
  private static final Duration BACK = Duration.ofMinutes(2);

  private final RejectionSearch search;
  private final Lane lane;

  RejectionReasons(String instance, RejectionSearch search) {
    this.search = search;
    this.lane = new Lane("rejected-" + instance, 1, WAITING);
  }

  /** The reason; empty if it is not told within the deadline or two seconds. It never fails. */
  CompletableFuture<Optional<String>> of(RecordPosition at, Deadline deadline) {
    var within = deadline.left().compareTo(PATIENCE) < 0 ? deadline.left() : PATIENCE;
    var since = Instant.now().minus(BACK);
    try {
      return lane.run(
              Priority.NORMAL,
              deadline,
              () -> search.reason(at.partition(), at.offset(), since, within))
          .completeOnTimeout(Optional.empty(), within.toNanos(), TimeUnit.NANOSECONDS)
          .exceptionally(
              e -> {
                LOG.warn("the reason why {} was rejected can't be read: {}", at, e.getMessage());
                return Optional.empty();
              });
    } catch (OverloadedException e) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
  }

  @Override
  public void close() {
    lane.close();
  }
}
