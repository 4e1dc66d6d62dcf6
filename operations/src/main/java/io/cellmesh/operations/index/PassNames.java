package io.cellmesh.operations.index;

import java.util.Collection;

/** How passes are called that Cellmesh makes. */
public final class PassNames {
  /** Of the indexes that an instance is created with. */
  public static final String FIRST = "p1";

  private static final String PREFIX = "p";

  private PassNames() {}

  /** A name behind all that are taken. */
  static String next(Collection<String> taken) {
    int highest = 0;
    for (var name : taken) {
      if (name.matches(PREFIX + "[0-9]{1,9}")) {
        highest = Math.max(highest, Integer.parseInt(name.substring(PREFIX.length())));
      }
    }
    return PREFIX + (highest + 1);
  }
}
