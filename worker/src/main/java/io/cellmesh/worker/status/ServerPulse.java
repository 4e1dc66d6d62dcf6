package io.cellmesh.worker.status;

import io.cellmesh.storage.Position;
import java.time.Instant;
import java.util.Map;

/**
 * How a MySQL server answered when it was asked last.
 *
 * @param role master or minion
 * @param since when it was first seen as it is
 * @param atLeast whether it was so when this worker looked first, and may have been for longer
 * @param why it is not well; empty if it is
 * @param at when it was asked last and the outcome known
 * @param positions that it told last, by partition
 */
record ServerPulse(
    String cluster,
    String role,
    String address,
    State state,
    Instant since,
    boolean atLeast,
    String why,
    Instant at,
    Map<Integer, Position> positions) {
  ServerPulse {
    positions = Map.copyOf(positions);
  }

  /** What a server does. */
  enum State {
    /** It answers, and a master takes writes. */
    WELL,
    /** A master that answers and takes no writes. */
    READ_ONLY,
    /** It does not answer. */
    SILENT,
    /** It was not asked yet. */
    UNKNOWN
  }

  boolean isMaster() {
    return role.equals("master");
  }
}
