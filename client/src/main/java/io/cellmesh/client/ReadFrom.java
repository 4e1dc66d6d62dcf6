package io.cellmesh.client;

import java.util.Locale;

/**
 * Which server of a storage cluster a read is to ask. Where that one is down or slow, another
 * answers, and the result says so.
 */
public enum ReadFrom {
  /** The one that has everything that is visible. */
  MASTER,
  /** One that may lag behind; the result says by how much. */
  MINION,
  /** Whichever; the work is spread. */
  ANY;

  /** The word of the contract. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
