package io.cellmesh.connect.sink;

import io.cellmesh.storage.EntityTable.Conflict;

/** A cell whose key is stored with another body (invariant 3). */
final class ConflictException extends Exception {
  private static final long serialVersionUID = 1L;

  ConflictException(Conflict conflict) {
    super(conflict.reason(), null, false, false);
  }
}
