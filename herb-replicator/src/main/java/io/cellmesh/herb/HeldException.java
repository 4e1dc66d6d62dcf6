package io.cellmesh.herb;

import io.cellmesh.cell.LinkHold;

/** Says that somebody wants the link to stand still. */
final class HeldException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient LinkHold hold;

  HeldException(LinkHold hold) {
    super(hold.text());
    this.hold = hold;
  }

  LinkHold hold() {
    return hold;
  }
}
