package io.cellmesh.operations.trigger;

import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.trigger.Start;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides where a partition goes that is asked to go to an offset.
 *
 * @param partition as it stands
 * @param asked what the offset was found by
 * @param whatIsLeft whether to go on though cells are gone that the trigger may not have been
 *     called with
 */
record RewindTarget(PartitionStatus partition, Start asked, boolean whatIsLeft) {

  /**
   * The offset where it goes on; empty if it stays where it is.
   *
   * @throws OperationException if cells would be skipped
   */
  Optional<Long> of(long target) {
    var place = partition.place();
    if (target < place.begin() || target > place.end()) {
      throw OperationException.invalid(
          "to = %d: %s-%d holds %d to %d"
              .formatted(target, place.topic(), place.partition(), place.begin(), place.end()));
    }
    var furthest = furthest();
    if (furthest.isPresent() && target > furthest.getAsLong()) {
      return stay(target, furthest.getAsLong());
    }
    if (partition.finding().isPresent() && loses(target)) {
      requireAcceptance();
    }
    boolean there = partition.finding().isEmpty() && target == place.committed().getAsLong();
    return there ? Optional.empty() : Optional.of(target);
  }

  /** The offset beyond which cells would be skipped; empty where nobody knows. */
  private OptionalLong furthest() {
    var place = partition.place();
    return switch (place.state()) {
      case FITS -> place.committed();
      case EXPIRED -> OptionalLong.of(place.begin());
      case FROM_THE_FIRST, FORGOTTEN, CHANGED -> OptionalLong.empty();
    };
  }

  private Optional<Long> stay(long target, long furthest) {
    var place = partition.place();
    if (asked instanceof Start.Offsets) {
      throw OperationException.refused(
          "to = %d: would skip the cells of %s-%d from %d on, and a trigger never does"
              .formatted(target, place.topic(), place.partition(), furthest));
    }
    if (partition.finding().isEmpty()) {
      return Optional.empty();
    }
    requireAcceptance();
    return Optional.of(furthest);
  }

  /** Going to the first record of a partition that still has all loses nothing. */
  private boolean loses(long target) {
    return target > 0;
  }

  private void requireAcceptance() {
    if (!whatIsLeft) {
      throw OperationException.refused(
          "%s: cells may be gone that the trigger was not called with; say --what-is-left to go on without them"
              .formatted(partition.finding().orElseThrow()));
    }
  }
}
