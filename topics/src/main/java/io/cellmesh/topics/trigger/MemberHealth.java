package io.cellmesh.topics.trigger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/**
 * What a process of a trigger saw within its last window, for all others to decide on.
 *
 * @param at by its own clock
 * @param tried what it called the trigger with
 * @param failed what of that failed
 * @param halted whether it holds itself for halted
 * @param reason the commonest; empty if nothing failed
 */
public record MemberHealth(
    Instant at, Seen tried, Seen failed, boolean halted, Optional<Reason> reason)
    implements StateValue {

  /** How many, each counted once. */
  public record Seen(long cells, long rows, long shards) {
    private ObjectNode toJson() {
      return StateFields.object().put("cells", cells).put("rows", rows).put("shards", shards);
    }

    private static Seen read(StateFields fields) throws FieldException {
      return new Seen(fields.number("cells"), fields.number("rows"), fields.number("shards"));
    }
  }

  @Override
  public byte[] toJson() {
    var json = StateFields.value().put("at", at.toString());
    json.set("tried", tried.toJson());
    json.set("failed", failed.toJson());
    json.put("halted", halted);
    reason.ifPresent(why -> json.set("reason", why.toJson()));
    return StateFields.bytes(json);
  }

  static MemberHealth read(StateFields fields) throws FieldException {
    var reason = fields.objectIfThere("reason");
    return new MemberHealth(
        fields.time("at"),
        Seen.read(fields.object("tried")),
        Seen.read(fields.object("failed")),
        fields.flag("halted"),
        reason.isPresent() ? Optional.of(Reason.read(reason.get())) : Optional.empty());
  }
}
