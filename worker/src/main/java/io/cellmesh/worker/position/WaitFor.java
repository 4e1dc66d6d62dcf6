package io.cellmesh.worker.position;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How far a cell must have come before its writer is answered; each is further than the last. */
public enum WaitFor {
  /** Kafka acknowledged it. */
  ACCEPTED,
  /** Two MySQL servers have it. */
  SECURED,
  /** Whoever reads the master finds it. */
  VISIBLE,
  /** Each minion that the topology lists has it, too. */
  REPLICATED;

  /** As requests and answers say it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads what a request says; empty if it is none of them. */
  public static Optional<WaitFor> of(String text) {
    return Arrays.stream(values()).filter(wait -> wait.text().equals(text)).findFirst();
  }
}
