package io.cellmesh.triggers;

/**
 * The cells of a partition that are in memory and not finished, in the order of their offsets. It
 * knows how many runs of finished records lie between them.
 */
final class Unfinished {
  private Delivery first;
  private Delivery last;
  private int size;
  private long bytes;
  private int runs;

  Delivery first() {
    return first;
  }

  Delivery last() {
    return last;
  }

  int size() {
    return size;
  }

  long bytes() {
    return bytes;
  }

  /** How many runs of finished records have an unfinished one before and behind them. */
  int runs() {
    return runs;
  }

  /** Takes a cell whose sequence is above that of all others. */
  void add(Delivery cell) {
    cell.previous = last;
    if (last == null) {
      first = cell;
    } else {
      last.next = cell;
      runs += between(last, cell);
    }
    last = cell;
    size++;
    bytes += cell.bytes;
  }

  void remove(Delivery cell) {
    var before = cell.previous;
    var after = cell.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
      runs -= between(before, cell);
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
      runs -= between(cell, after);
    }
    if (before != null && after != null) {
      runs++;
    }
    cell.previous = null;
    cell.next = null;
    size--;
    bytes -= cell.bytes;
  }

  private static int between(Delivery one, Delivery other) {
    return one.sequence + 1 == other.sequence ? 0 : 1;
  }
}
