package io.cellmesh.triggers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The lanes whose heads are to be parked, and the transaction that parks: one at a time, of all
 * that waits up to 500 cells or 8 MiB, so that it ends in time, and after one that failed not
 * within a second. Has no clock.
 */
final class ParkingQueue {
  private static final int AT_ONCE = 500;
  private static final long BYTES_AT_ONCE = 8 << 20;
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Deque<Lane> lanes = new ArrayDeque<>();
  private Parking underWay;
  private Instant due = Instant.MIN;

  /** Takes a lane whose head is to be parked. */
  void add(Lane lane) {
    lane.state = Lane.State.PARKING;
    lanes.add(lane);
  }

  /** Takes out all lanes of a partition that was lost. */
  void forget(PartitionProgress partition) {
    lanes.removeIf(lane -> lane.partition == partition);
  }

  /** Takes out all lanes that no transaction has. */
  List<Lane> takeAll() {
    var all = List.copyOf(lanes);
    lanes.clear();
    return all;
  }

  /**
   * Decides what the next transaction parks: of each lane the cells from its head on which have a
   * reason.
   *
   * @param others gets the lanes of which nothing is to be parked any more
   * @return empty if nothing is to be parked now
   */
  Optional<Parking> begin(Instant now, Consumer<Lane> others) {
    if (underWay != null || lanes.isEmpty() || now.isBefore(due)) {
      return Optional.empty();
    }
    var cells = new ArrayList<Parking.Parked>();
    while (!lanes.isEmpty() && !isFull(cells)) {
      var lane = lanes.remove();
      if (lane.partition.reasonToPark(lane.head()) == null) {
        others.accept(lane);
      } else {
        park(lane, cells);
      }
    }
    if (cells.isEmpty()) {
      return Optional.empty();
    }
    var commits = new LinkedHashMap<TopicPartition, Commit>();
    for (var parked : cells) {
      var partition = parked.cell().lane.partition;
      commits.computeIfAbsent(partition.at, at -> partition.commit(true));
    }
    var begun = Optional.of(new Parking(cells, commits));
    underWay = begun.get();
    return begun;
  }

  private static void park(Lane lane, List<Parking.Parked> cells) {
    var partition = lane.partition;
    for (var cell = lane.head(); cell != null && !isFull(cells); cell = cell.behind) {
      var reason = partition.reasonToPark(cell);
      if (reason == null) {
        return;
      }
      partition.parking(cell);
      cells.add(new Parking.Parked(partition.at, cell, reason));
    }
  }

  private static boolean isFull(List<Parking.Parked> cells) {
    return cells.size() >= AT_ONCE
        || cells.stream().mapToLong(parked -> parked.cell().bytes).sum() >= BYTES_AT_ONCE;
  }

  /**
   * The transaction is committed.
   *
   * @return its lanes whose partitions are still owned; their first cells are those it has parked
   * @throws IllegalStateException if it is not the one that runs
   */
  Collection<Lane> parked(Parking done) {
    return end(done);
  }

  /**
   * The transaction failed: its cells wait for another one.
   *
   * @throws IllegalStateException if it is not the one that runs
   */
  void notParked(Parking failed, Instant now) {
    due = now.plus(AGAIN);
    for (var lane : end(failed)) {
      for (var cell = lane.head(); cell != null && cell.parking; cell = cell.behind) {
        lane.partition.notParked(cell);
      }
      lanes.add(lane);
    }
  }

  /** Whoever ran a transaction is gone and tells no more of it; its partitions were lost. */
  void abandon() {
    underWay = null;
  }

  private Collection<Lane> end(Parking ended) {
    if (ended != underWay) {
      throw new IllegalStateException("not the transaction that runs");
    }
    underWay = null;
    var owned = new LinkedHashSet<Lane>();
    for (var parked : ended.cells()) {
      var lane = parked.cell().lane;
      if (!lane.partition.isClosed()) {
        owned.add(lane);
      }
    }
    return owned;
  }

  /** When the next transaction may begin; {@link Instant#MAX} if none is to. */
  Instant due() {
    return lanes.isEmpty() || underWay != null ? Instant.MAX : due;
  }
}
