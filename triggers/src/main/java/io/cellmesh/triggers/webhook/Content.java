package io.cellmesh.triggers.webhook;

/** What of a cell is the data of its event. */
public enum Content {
  /** The body alone. */
  BODY,
  /** The record as the log has it. */
  ENVELOPE
}
