package io.cellmesh.worker.load;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Who is turned away first. */
public enum Priority {
  /** Only when there is no room at all. */
  HIGH(100),
  NORMAL(90),
  LOW(50);

  private final int percent;

  Priority(int percent) {
    this.percent = percent;
  }

  /** How much of a queue may be taken for a call of this priority still to get in. */
  int share(int capacity) {
    return Math.max(1, capacity * percent / 100);
  }

  /** Reads what a request says; empty if it is none of them. */
  public static Optional<Priority> of(String text) {
    return Arrays.stream(values())
        .filter(priority -> priority.name().toLowerCase(Locale.ROOT).equals(text))
        .findFirst();
  }
}
