package io.cellmesh.operations.trigger;

import io.cellmesh.cell.ReadPlace;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How one partition of a trigger is.
 *
 * @param begun whether an owner has ever committed an offset
 * @param place the committed offset in what the trigger's topic holds; without one, where the
 *     creation says that it begins, unless it had begun
 * @param lagCells from the place to the end
 * @param lag the age of the first of them
 * @param requests that wait for the owner
 */
public record PartitionStatus(
    boolean begun,
    ReadPlace place,
    long lagCells,
    Duration lag,
    int parkedRows,
    long parkedCells,
    int requests) {

  public int partition() {
    return place.partition();
  }

  /** The committed offset, or where it will begin; empty if its place is gone. */
  public OptionalLong next() {
    return place.committed();
  }

  /** Why the owner can't go on, with the next step; empty if it can. */
  public Optional<String> finding() {
    var at = place.topic() + "-" + place.partition();
    if (place.committed().isEmpty()) {
      return Optional.of(
          "%s: its place is gone (Kafka forgets the offsets of a group that nobody is in for a week); `cellmesh trigger rewind` says where it goes on"
              .formatted(at));
    }
    return place.bad()
        ? Optional.of(place.text() + "; `cellmesh trigger rewind` says where it goes on")
        : Optional.empty();
  }
}
