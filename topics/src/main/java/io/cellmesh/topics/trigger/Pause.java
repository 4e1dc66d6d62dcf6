package io.cellmesh.topics.trigger;

import java.time.Instant;

/**
 * That a trigger is not to be called until the record is removed.
 *
 * @param by who paused it
 */
public record Pause(String by, Instant at) implements StateValue {

  @Override
  public byte[] toJson() {
    return StateFields.bytes(StateFields.value().put("by", by).put("at", at.toString()));
  }

  static Pause read(StateFields fields) throws FieldException {
    return new Pause(fields.text("by"), fields.time("at"));
  }
}
