package io.cellmesh.topics.trigger;

import java.time.Instant;
import java.util.Optional;

/**
 * How often a cell was tried, so that one which kills its process reaches its limit.
 *
 * @param offset of the cell in the trigger's topic
 * @param addedId its place in its shard
 * @param attempts that were begun
 * @param firstFailure empty while none was seen to fail
 * @param lastFailure empty while none was seen to fail
 */
public record CellAttempts(
    long offset,
    long addedId,
    long attempts,
    Optional<Instant> firstFailure,
    Optional<Instant> lastFailure)
    implements StateValue {

  @Override
  public byte[] toJson() {
    var json = StateFields.value();
    json.put("offset", offset).put("added_id", addedId).put("attempts", attempts);
    firstFailure.ifPresent(time -> json.put("first_failure", time.toString()));
    lastFailure.ifPresent(time -> json.put("last_failure", time.toString()));
    return StateFields.bytes(json);
  }

  static CellAttempts read(StateFields fields) throws FieldException {
    return new CellAttempts(
        fields.number("offset"),
        fields.number("added_id"),
        fields.number("attempts"),
        fields.timeIfThere("first_failure"),
        fields.timeIfThere("last_failure"));
  }
}
