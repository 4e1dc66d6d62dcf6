package io.cellmesh.cell.index;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The values that a row's shard field has left, those of the highest ref_keys first, and as many of
 * them as there is room for beside the value that it has.
 *
 * <p>Which ones these are depends on the cells alone and not on the order in which they came
 * (invariant 7): what stands before a value in this list only ever gets more, so that a value for
 * which there was no room once can't have room later, unless a newer cell brings it back.
 */
final class LeftValues {
  static final LeftValues NONE = new LeftValues(List.of());

  /**
   * The room, in bytes, for one row of one index: about 200 UUIDs. It bounds the state's records,
   * since each of them is written whole.
   */
  static final int ROOM = 24 << 10;

  /** A character is at most three bytes of UTF-8; ref_key and length go with each value. */
  private static final int WIDEST = 3;

  private static final int OVERHEAD = 16;

  private final List<Left> values;

  private LeftValues(List<Left> values) {
    this.values = values;
  }

  /**
   * A value that was left.
   *
   * @param refKey the highest of the cells that gave the row this value, as far as known
   */
  record Left(String value, long refKey) {}

  /** In any order of ref_keys; of equal ones the earlier stays before the later. */
  static LeftValues of(List<Left> values, String current) {
    var sorted = new ArrayList<>(values);
    sorted.sort(Collections.reverseOrder((a, b) -> Long.compare(a.refKey(), b.refKey())));
    return new LeftValues(fitting(sorted, current));
  }

  List<Left> newestFirst() {
    return values;
  }

  /**
   * Adds a value, unless it is null, and takes out the one that the row has.
   *
   * @param current may be null
   */
  LeftValues with(String value, long refKey, String current) {
    var next = new ArrayList<>(values);
    next.removeIf(left -> left.value().equals(current));
    if (value != null && !value.equals(current)) {
      add(next, new Left(value, refKey));
    }
    return next.equals(values) ? this : new LeftValues(fitting(next, current));
  }

  private static void add(List<Left> values, Left one) {
    int at = 0;
    for (int i = 0; i < values.size(); i++) {
      var other = values.get(i);
      if (other.value().equals(one.value())) {
        if (other.refKey() >= one.refKey()) {
          return;
        }
        values.remove(i);
        break;
      }
      at = other.refKey() >= one.refKey() ? i + 1 : at;
    }
    values.add(at, one);
  }

  private static List<Left> fitting(List<Left> values, String current) {
    int room = ROOM - (current == null ? 0 : size(current));
    for (int i = 0; i < values.size(); i++) {
      room -= size(values.get(i).value());
      if (room < 0) {
        return List.copyOf(values.subList(0, i));
      }
    }
    return List.copyOf(values);
  }

  private static int size(String value) {
    return OVERHEAD + WIDEST * value.length();
  }
}
