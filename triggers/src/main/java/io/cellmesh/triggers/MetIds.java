package io.cellmesh.triggers;

/**
 * Which ids of a shard were met: all between a lowest and a highest, and, where a rebuilt log is
 * read from further back than the trigger began, those of that stretch. The stretch stands apart
 * until it has reached the lowest, for what lies between was not met yet.
 */
final class MetIds {
  private static final long NONE = -1;

  private long lowest = NONE;
  private long highest = NONE;
  private long stretchFirst = NONE;
  private long stretchLast = NONE;
  private boolean joined;

  MetIds() {}

  MetIds(long lowest, long highest) {
    this.lowest = lowest;
    this.highest = highest;
  }

  MetIds(long lowest, long highest, long stretchFirst, long stretchLast) {
    this(lowest, highest);
    this.stretchFirst = stretchFirst;
    this.stretchLast = stretchLast;
  }

  boolean isEmpty() {
    return highest == NONE;
  }

  long lowest() {
    return lowest;
  }

  long highest() {
    return highest;
  }

  boolean hasStretch() {
    return stretchLast != NONE;
  }

  long stretchFirst() {
    return stretchFirst;
  }

  long stretchLast() {
    return stretchLast;
  }

  /** Says whether a cell that is read is a repeat of one that was met. */
  boolean contains(long id, boolean rebuilt) {
    if (!rebuilt) {
      return id <= highest;
    }
    return isBetween(lowest, id, highest) || isBetween(stretchFirst, id, stretchLast);
  }

  /** Takes the id of the next cell in the log's order, which may be a repeat. */
  void add(long id, boolean rebuilt) {
    if (isEmpty()) {
      lowest = id;
      highest = id;
    } else if (id > highest) {
      highest = id;
    } else if (id >= lowest) {
      joined |= rebuilt && hasStretch();
    } else if (rebuilt) {
      extend(id);
    }
  }

  private void extend(long id) {
    joined = false;
    if (!hasStretch()) {
      stretchFirst = id;
      stretchLast = id;
    } else if (id > stretchLast) {
      stretchLast = id;
    }
  }

  /** Counts a stretch that has reached the lowest id to the others. */
  void join() {
    if (joined) {
      lowest = stretchFirst;
      stretchFirst = NONE;
      stretchLast = NONE;
      joined = false;
    }
  }

  void set(MetIds other) {
    lowest = other.lowest;
    highest = other.highest;
    stretchFirst = other.stretchFirst;
    stretchLast = other.stretchLast;
    joined = other.joined;
  }

  MetIds copy() {
    var copy = new MetIds();
    copy.set(this);
    return copy;
  }

  /**
   * What is left when one id of the main part and all above it, and one of the stretch and all
   * above it, are taken away. Without a main part there is nothing: a stretch alone would be taken
   * for one, and swallow what lies between.
   */
  MetIds below(long main, long stretch) {
    long last = Math.min(highest, main - 1);
    if (isEmpty() || last < lowest) {
      return new MetIds();
    }
    long stretchEnd = Math.min(stretchLast, stretch - 1);
    return hasStretch() && stretchEnd >= stretchFirst
        ? new MetIds(lowest, last, stretchFirst, stretchEnd)
        : new MetIds(lowest, last);
  }

  private static boolean isBetween(long first, long id, long last) {
    return last != NONE && first <= id && id <= last;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MetIds ids
        && ids.lowest == lowest
        && ids.highest == highest
        && ids.stretchFirst == stretchFirst
        && ids.stretchLast == stretchLast;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(lowest + 31 * highest);
  }

  @Override
  public String toString() {
    var main = isEmpty() ? "none" : lowest + "-" + highest;
    return hasStretch() ? main + " and " + stretchFirst + "-" + stretchLast : main;
  }
}
