package io.cellmesh.worker.read;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Which server a read asks first. */
public enum ReadFrom {
  /** The one that has everything that is visible. */
  MASTER,
  /** One that may lag behind. */
  MINION,
  /** Whichever; the work is spread. */
  ANY;

  /** Reads what a request says; empty if it is none of them. */
  public static Optional<ReadFrom> of(String text) {
    return Arrays.stream(values())
        .filter(from -> from.name().toLowerCase(Locale.ROOT).equals(text))
        .findFirst();
  }
}
