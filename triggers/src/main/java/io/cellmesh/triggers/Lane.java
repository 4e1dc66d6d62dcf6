package io.cellmesh.triggers;

import java.util.List;

/**
 * The unfinished cells in memory of what is called one after the other: a shard's, or in order by
 * row a row's. The oldest is the head, and nothing behind it begins before it is finished, but
 * within its own batch.
 */
final class Lane {
  /** What becomes of the head. */
  enum State {
    EMPTY,
    READY,
    RUNNING,
    WAITING,
    PARKING
  }

  final PartitionProgress partition;
  final ShardProgress shard;
  State state = State.EMPTY;

  /** Whether a cell of the running batch failed, so that those behind it are not done. */
  boolean failed;

  /** Whether somebody else calls back for its shard. */
  boolean held;

  private Delivery head;
  private Delivery tail;
  private int size;

  Lane(PartitionProgress partition, ShardProgress shard) {
    this.partition = partition;
    this.shard = shard;
  }

  Delivery head() {
    return head;
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return head == null;
  }

  /** Says whether the head is tried again, which may take long. */
  boolean isBlocked() {
    return head != null && head.isRetried();
  }

  void add(Delivery cell) {
    cell.lane = this;
    if (head == null) {
      head = cell;
    } else {
      tail.behind = cell;
    }
    tail = cell;
    size++;
  }

  void removeHead() {
    var first = head;
    head = first.behind;
    first.behind = null;
    size--;
    if (head == null) {
      tail = null;
    }
  }

  /** Adds its first cells to a batch of at most so many; one that is tried again stands alone. */
  void fill(List<Delivery> batch, int most) {
    var cell = head;
    batch.add(cell);
    while (!standsAlone(cell) && cell.behind != null && batch.size() < most) {
      cell = cell.behind;
      if (standsAlone(cell) || partition.reasonToPark(cell) != null) {
        return;
      }
      batch.add(cell);
    }
  }

  static boolean standsAlone(Delivery cell) {
    return cell.isRetried() || cell.isSuspect();
  }

  /** Cuts off what is behind so many cells, and gives the first of it, or null. */
  Delivery cut(int kept) {
    if (size <= kept) {
      return null;
    }
    var last = head;
    for (int i = 1; i < kept; i++) {
      last = last.behind;
    }
    var rest = last.behind;
    last.behind = null;
    tail = last;
    size = kept;
    return rest;
  }
}
