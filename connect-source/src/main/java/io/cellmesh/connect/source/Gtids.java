package io.cellmesh.connect.source;

import io.debezium.connector.mysql.gtid.MySqlGtidSet;

/** A set of transactions, as MySQL writes it: {@code uuid:1-66,uuid:1-3:5}. Immutable. */
final class Gtids {
  private static final int LONGEST_IN_A_MESSAGE = 300;

  private final MySqlGtidSet set;

  private Gtids(MySqlGtidSet set) {
    this.set = set;
  }

  /**
   * @throws IllegalArgumentException if it is no such set
   */
  static Gtids parse(String text) {
    try {
      return new Gtids(new MySqlGtidSet(text));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("\"" + shortened(text) + "\" is no set of GTIDs", e);
    }
  }

  boolean containsAll(Gtids others) {
    return others.set.isContainedWithin(set);
  }

  Gtids without(Gtids others) {
    return new Gtids(set.subtract(others.set));
  }

  /** How many transactions it holds. */
  long count() {
    return set.getUUIDSets().stream()
        .flatMap(uuid -> uuid.getIntervals().stream())
        .mapToLong(interval -> interval.getEnd() - interval.getStart() + 1)
        .sum();
  }

  /** For a message. */
  String brief() {
    return shortened(set.toString());
  }

  @Override
  public String toString() {
    return set.toString();
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_IN_A_MESSAGE
        ? text
        : text.substring(0, LONGEST_IN_A_MESSAGE) + "…";
  }
}
