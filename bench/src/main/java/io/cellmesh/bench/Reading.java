package io.cellmesh.bench;

import java.util.Map;

/**
 * How the source comes by the log.
 *
 * <p>A minion usually has processors and a disk of its own, which it has not in a benchmark; so it
 * rests in one of them.
 */
enum Reading {
  AS_SHIPPED("minion", Map.of(), true),
  FROM_MASTER("master", OurLog.FROM_MASTER, true),
  FROM_MASTER_ALONE("master, minion at rest", OurLog.FROM_MASTER, false);

  private final String text;
  private final Map<String, String> settings;
  private final boolean replicates;

  Reading(String text, Map<String, String> settings, boolean replicates) {
    this.text = text;
    this.settings = settings;
    this.replicates = replicates;
  }

  /** As in the result. */
  String text() {
    return text;
  }

  /** What the source has beside its shipped settings. */
  Map<String, String> settings() {
    return settings;
  }

  /** Whether the minion applies meanwhile what the master commits. */
  boolean replicates() {
    return replicates;
  }
}
