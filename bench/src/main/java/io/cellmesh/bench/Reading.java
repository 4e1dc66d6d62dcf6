package io.cellmesh.bench;

/** How the source comes by the log. */
enum Reading {
  AS_SHIPPED("minion", "minion", true),
  FROM_MASTER("master", "master", true),

  /** A minion usually has processors and a disk of its own, which it has not in a benchmark. */
  FROM_MASTER_ALONE("master, minion at rest", "master", false);

  private final String text;
  private final String readFrom;
  private final boolean replicates;

  Reading(String text, String readFrom, boolean replicates) {
    this.text = text;
    this.readFrom = readFrom;
    this.replicates = replicates;
  }

  /** As in the result. */
  String text() {
    return text;
  }

  /** The source's setting {@code read.from}. */
  String readFrom() {
    return readFrom;
  }

  /** Whether the minion applies meanwhile what the master commits. */
  boolean replicates() {
    return replicates;
  }
}
