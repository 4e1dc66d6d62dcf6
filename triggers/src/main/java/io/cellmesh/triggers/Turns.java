package io.cellmesh.triggers;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * The lanes whose heads wait for their turn, and whose turn is next. Partitions take turns; of each
 * the oldest cell comes first. Has no clock, and belongs to its dispatcher.
 */
final class Turns {
  /** Partitions with lanes that are ready, in turn. */
  private final Deque<PartitionProgress> partitions = new ArrayDeque<>();

  /** Lanes whose heads failed, until they are due. */
  private final PriorityQueue<Lane> waiting =
      new PriorityQueue<>(Comparator.comparing(lane -> lane.head().due()));

  /** Lanes that are ready but for another suspect that runs. */
  private final List<Lane> suspects = new ArrayList<>();

  /** Lanes that are ready but for somebody else who calls back for their shard. */
  private final List<Lane> held = new ArrayList<>();

  private final Predicate<PartitionProgress> mayDeliver;
  private boolean suspectRuns;

  /**
   * @param mayDeliver whether a cell of a partition may begin; when that changes it has to be
   *     {@link #list listed} again
   */
  Turns(Predicate<PartitionProgress> mayDeliver) {
    this.mayDeliver = mayDeliver;
  }

  /** Takes a lane whose head can begin. */
  void ready(Lane lane) {
    lane.state = Lane.State.READY;
    lane.partition.ready.add(lane);
    list(lane.partition);
  }

  /** Takes a lane whose head can begin when it is due. */
  void waits(Lane lane) {
    lane.state = Lane.State.WAITING;
    waiting.add(lane);
  }

  /** Gives a partition a turn, if it has a lane that is ready. */
  void list(PartitionProgress partition) {
    if (!partition.listed && !partition.isClosed() && !partition.ready.isEmpty()) {
      partition.listed = true;
      partitions.add(partition);
    }
  }

  /** Takes out all lanes of a partition that was lost. */
  void forget(PartitionProgress partition) {
    partitions.remove(partition);
    waiting.removeIf(lane -> lane.partition == partition);
    suspects.removeIf(lane -> lane.partition == partition);
    held.removeIf(lane -> lane.partition == partition);
  }

  /**
   * Takes out the lane whose turn it is. Its partition gets no other turn until it is {@link #list
   * listed}.
   *
   * @return null if no lane may begin
   */
  Lane next(Instant now) {
    wake(now);
    while (!partitions.isEmpty()) {
      var partition = take();
      var lane = free(partition);
      if (lane != null && partition.mayBegin(lane)) {
        return partition.ready.remove();
      }
    }
    return null;
  }

  /**
   * Takes out the lane that was tried longest ago, also one that is not due; one that was not tried
   * comes first. Whether a commit has room for it does not matter, as nothing else begins.
   *
   * @return null if there is none
   */
  Lane triedLongestAgo() {
    for (int left = partitions.size(); left > 0; left--) {
      var partition = take();
      if (free(partition) != null) {
        var lane = partition.ready.remove();
        list(partition);
        return lane;
      }
    }
    var longestAgo =
        waiting.stream()
            .filter(lane -> !lane.held && mayDeliver.test(lane.partition))
            .min(
                Comparator.comparing(
                    lane -> lane.head().lastFailure(),
                    Comparator.nullsFirst(Comparator.naturalOrder())));
    longestAgo.ifPresent(waiting::remove);
    return longestAgo.orElse(null);
  }

  private void wake(Instant now) {
    while (!waiting.isEmpty() && !waiting.peek().head().due().isAfter(now)) {
      ready(waiting.remove());
    }
  }

  private PartitionProgress take() {
    var partition = partitions.remove();
    partition.listed = false;
    return partition;
  }

  /** The first lane that is ready; those before it which must wait for something are put aside. */
  private Lane free(PartitionProgress partition) {
    if (!mayDeliver.test(partition)) {
      return null;
    }
    for (var lane = partition.ready.peek(); lane != null; lane = partition.ready.peek()) {
      if (lane.held) {
        held.add(partition.ready.remove());
      } else if (suspectRuns && lane.head().isSuspect()) {
        suspects.add(partition.ready.remove());
      } else {
        return lane;
      }
    }
    return null;
  }

  /** A lane's head begins: of suspects one at a time does. */
  void began(Lane lane) {
    suspectRuns |= lane.head().isSuspect();
  }

  /** A cell that was a suspect when it began has ended. */
  void suspectEnded() {
    suspectRuns = false;
    suspects.forEach(this::ready);
    suspects.clear();
  }

  /** Somebody who called back for a shard has ended. */
  void released() {
    var lanes = new ArrayList<>(held);
    held.clear();
    lanes.forEach(this::ready);
  }

  /** Says whether a head may begin, now or when it is due, that waits for nobody else. */
  boolean hasFree() {
    return partitions.stream().anyMatch(partition -> hasFree(partition.ready)) || hasFree(waiting);
  }

  private static boolean hasFree(Collection<Lane> lanes) {
    return lanes.stream().anyMatch(lane -> !lane.held);
  }

  /** When the next lane is due; {@link Instant#MAX} if none waits. */
  Instant due() {
    return waiting.isEmpty() ? Instant.MAX : waiting.peek().head().due();
  }
}
