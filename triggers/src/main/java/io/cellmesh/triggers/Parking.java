package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.ParkedRecord;
import io.cellmesh.topics.trigger.Reason;
import io.cellmesh.topics.trigger.TriggerName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * One transaction: the cells to write to the parked topic in this order, the markers of their rows,
 * and what to commit for their partitions as though the cells were finished.
 */
record Parking(List<Parked> cells, Map<TopicPartition, Commit> commits) {
  /** A cell that is parked, and what decided that. */
  record Parked(TopicPartition partition, Delivery cell, ParkReason verdict) {
    /** What its last attempt threw; in words, where no attempt of this process did. */
    Reason reason() {
      return switch (verdict) {
        case ROW -> Reason.of("an earlier cell of its row is parked");
        case DIED -> Reason.of("each process that called back with it ended meanwhile");
        case ATTEMPTS, AGE, NEVER_RETRIED, CALLBACK -> cell.reason();
      };
    }

    /** What its copy in the topic of parked records says. */
    ParkedRecord record(TriggerName trigger, Instant now) {
      return new ParkedRecord(
          trigger,
          reason(),
          cell.failed(),
          Optional.ofNullable(cell.firstFailure()).orElse(now),
          Optional.ofNullable(cell.lastFailure()).orElse(now),
          partition,
          cell.offset);
    }
  }
}
