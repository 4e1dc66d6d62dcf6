package io.cellmesh.operations.verify;

import io.cellmesh.cell.Body;

/** Compares bodies that may have been tampered with. */
final class Bodies {
  private Bodies() {}

  /** Whether both are equal as JSON; a damaged body equals only its very bytes. */
  static boolean same(Body one, Body other) {
    try {
      return one.sameAs(other);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** The SHA-256 of a body's canonical JSON, in hex; {@code damaged} for one that is none. */
  static String digest(Body body) {
    try {
      return body.digest();
    } catch (IllegalStateException e) {
      return "damaged";
    }
  }
}
