package io.cellmesh.operations.conflict;

import io.cellmesh.cell.Body;
import java.util.Optional;

/**
 * All that is known of one conflict.
 *
 * @param kept the body that stays; empty if it was not asked for
 * @param refused the record that was refused
 */
public record ConflictDetail(Conflict conflict, Optional<Body> kept, RefusedValue refused) {

  /**
   * What is left of a refused record.
   *
   * @param where it was found, or why it was not
   * @param value to the byte; empty if it was not found, or only without its value
   */
  public record RefusedValue(String where, Optional<byte[]> value) {}
}
