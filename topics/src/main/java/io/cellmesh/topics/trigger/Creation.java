package io.cellmesh.topics.trigger;

import java.time.Instant;
import java.util.Optional;

/**
 * That a trigger was created, as one partition is told.
 *
 * @param begin the offset of the trigger's topic at which this partition begins
 * @param createdAt by the clock of whoever created it
 * @param digest of the definition, which may know more of it than this version does
 * @param begun whether an owner has committed where this partition begins: from then on a missing
 *     offset is one that was lost
 */
public record Creation(
    Definition definition, long begin, Instant createdAt, String digest, boolean begun)
    implements StateValue {

  /** One whose partition has not begun. */
  public static Creation of(Definition definition, long begin, Instant createdAt) {
    return new Creation(definition, begin, createdAt, definition.digest(), false);
  }

  /** The same, once its partition's first offset is committed. */
  public Creation asBegun() {
    return new Creation(definition, begin, createdAt, digest, true);
  }

  /** What it says otherwise than a definition, in words; empty if it is of that one. */
  public Optional<String> differences(Definition asked) {
    if (digest.equals(asked.digest())) {
      return Optional.empty();
    }
    var differences = definition.differences(asked);
    return Optional.of(
        differences.isEmpty()
            ? "a later version of cellmesh created it with more"
            : String.join(", ", differences));
  }

  @Override
  public byte[] toJson() {
    var json = StateFields.value();
    definition.write(json);
    json.put("begin", begin);
    json.put("created_at", createdAt.toString());
    json.put("digest", digest);
    json.put("begun", begun);
    return StateFields.bytes(json);
  }

  static Creation read(StateFields fields) throws FieldException {
    return new Creation(
        Definition.read(fields),
        fields.number("begin"),
        fields.time("created_at"),
        fields.text("digest"),
        fields.flag("begun"));
  }
}
