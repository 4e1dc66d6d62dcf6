package io.cellmesh.topics.trigger;

import java.time.Instant;

/**
 * How often the one cell of a row that is tried was, so that one which kills its process reaches
 * its limit.
 *
 * @param offset of the cell in the trigger's topic
 * @param addedId its place in its shard
 * @param attempts that were begun
 * @param firstFailure when the first one failed; while none was seen to fail, when one was noted
 * @param lastFailure when the last one failed; while none was seen to fail, when one was noted
 */
public record CellAttempts(
    long offset, long addedId, long attempts, Instant firstFailure, Instant lastFailure)
    implements StateValue {

  @Override
  public byte[] toJson() {
    var json = StateFields.value();
    json.put("offset", offset).put("added_id", addedId).put("attempts", attempts);
    json.put("first_failure", firstFailure.toString());
    json.put("last_failure", lastFailure.toString());
    return StateFields.bytes(json);
  }

  static CellAttempts read(StateFields fields) throws FieldException {
    return new CellAttempts(
        fields.number("offset"),
        fields.number("added_id"),
        fields.number("attempts"),
        fields.time("first_failure"),
        fields.time("last_failure"));
  }
}
