package io.cellmesh.stack.chaos;

import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * Two kinds of faults that were under way at the same time, in the order in which kinds are listed.
 */
public record Meeting(FaultKind one, FaultKind other) implements Comparable<Meeting> {

  private static Meeting of(FaultKind one, FaultKind other) {
    return one.compareTo(other) <= 0 ? new Meeting(one, other) : new Meeting(other, one);
  }

  /** Counts which kinds met how often. */
  static TreeMap<Meeting, Long> among(Collection<Struck> faults) {
    var list = List.copyOf(faults);
    var met = new TreeMap<Meeting, Long>();
    for (int i = 0; i < list.size(); i++) {
      for (int j = i + 1; j < list.size(); j++) {
        if (list.get(i).overlaps(list.get(j))) {
          met.merge(of(list.get(i).kind(), list.get(j).kind()), 1L, Long::sum);
        }
      }
    }
    return met;
  }

  @Override
  public int compareTo(Meeting to) {
    int first = one.compareTo(to.one);
    return first == 0 ? other.compareTo(to.other) : first;
  }
}
