package io.cellmesh.connect.sink;

import io.cellmesh.storage.Decision;

/** A cell whose key is stored with another body (invariant 3). */
final class ConflictException extends Exception {
  private static final long serialVersionUID = 1L;

  ConflictException(Decision decision) {
    super(
        "%s; the one kept was first written in %s, the one refused in %s"
            .formatted(decision.reason(), decision.keptOrigin(), decision.refusedOrigin()),
        null,
        false,
        false);
  }
}
