package io.cellmesh.connect.sink;

import io.cellmesh.storage.Packet;

/**
 * What a transaction can still take: cells, so that its locks are short, and bytes, so that it fits
 * into one packet and into memory ({@link Packet}). The first copy always fits, for it was written
 * as one statement before. Not thread-safe.
 */
final class Room {
  private static final int CELLS = 4000;

  private long cells = CELLS;
  private long bytes = Packet.CATCH_UP;
  private boolean whole = true;

  /**
   * Takes a copy, if it fits.
   *
   * @param stored bytes of its cells
   * @return whether it did; else nothing was taken
   */
  boolean take(int copied, long stored) {
    long encoded = Packet.ofCells(copied, stored);
    if (!whole && (copied > cells || encoded > bytes)) {
      return false;
    }
    whole = false;
    cells -= Math.max(1, copied);
    bytes -= encoded;
    return true;
  }
}
