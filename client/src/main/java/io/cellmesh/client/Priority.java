package io.cellmesh.client;

import java.util.Locale;

/** Who is turned away first when workers have more to do than they can. */
public enum Priority {
  /** Last. */
  HIGH,
  NORMAL,
  /** First. */
  LOW;

  /** The word of the contract. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
