package io.cellmesh.topics.trigger;

/** Says why a trigger is not created, and what to do. */
public final class TriggerRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TriggerRefusedException(String message) {
    super(message);
  }
}
