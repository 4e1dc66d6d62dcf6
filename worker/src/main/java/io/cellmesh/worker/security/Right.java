package io.cellmesh.worker.security;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a caller may do in an instance. */
public enum Right {
  /** Gets cells and rows. */
  READ,
  /** Adds cells. */
  WRITE,
  /** Gets pages of indexes; their cells need {@link #READ} as well. */
  INDEXES,
  /** Sees how the instance and its servers are. */
  STATUS;

  /** As the tokens file has it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The right that a text names; empty if it names none. */
  static Optional<Right> of(String text) {
    return Arrays.stream(values()).filter(right -> right.text().equals(text)).findFirst();
  }
}
