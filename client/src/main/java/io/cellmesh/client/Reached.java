package io.cellmesh.client;

import java.util.Locale;

/** How far a cell has come, and how far a write is to wait for it; each includes those before. */
public enum Reached {
  /** Kafka has it, and it becomes visible by itself. */
  ACCEPTED,
  /** Two MySQL servers have it. */
  SECURED,
  /** Whoever reads the master finds it; only a lost master can take it back for a while. */
  VISIBLE,
  /** Every minion that the topology lists has it, too, so that no lost master takes it back. */
  REPLICATED;

  /** The word of the contract. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
