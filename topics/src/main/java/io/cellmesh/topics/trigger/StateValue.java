package io.cellmesh.topics.trigger;

/** A value of the state topic. */
public sealed interface StateValue
    permits Creation, ParkedRow, CellAttempts, Pause, Request, MemberHealth {

  /** Writes the form in which it is stored. */
  byte[] toJson();
}
