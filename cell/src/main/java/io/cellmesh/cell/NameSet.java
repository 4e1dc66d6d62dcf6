package io.cellmesh.cell;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The names of one object, to notice one that is repeated. Objects mostly have few names, so the
 * first are kept in a small table that is used again for the next object.
 */
final class NameSet {
  private static final int SLOTS = 64;
  private static final int FEW = SLOTS / 2;

  private final String[] names = new String[SLOTS];
  private int count;
  private Set<String> more = Set.of();

  void clear() {
    if (count > 0) {
      Arrays.fill(names, null);
      count = 0;
      more = Set.of();
    }
  }

  /** Adds a name; false if it was there. */
  boolean add(String name) {
    int slot = spread(name.hashCode());
    for (; names[slot] != null; slot = slot + 1 & SLOTS - 1) {
      if (names[slot].equals(name)) {
        return false;
      }
    }
    if (count < FEW) {
      names[slot] = name;
      count++;
      return true;
    }
    if (more.isEmpty()) {
      more = new HashSet<>();
    }
    return more.add(name);
  }

  private static int spread(int hash) {
    return hash * 0x9E3779B1 >>> 26;
  }
}
