package io.cellmesh.topics.trigger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.UUID;

/**
 * What an operator wants of a partition's owner, who removes the record in the transaction that
 * carries it out. Requests of a partition are carried out in the order of their offsets; while the
 * trigger is paused, those that call nobody go before those that do.
 */
public sealed interface Request extends StateValue {
  /** Who asked. */
  String by();

  Instant at();

  /** Calls the trigger again with the parked cells of one row, in order. */
  record Replay(String by, Instant at, UUID row) implements Request {
    @Override
    public byte[] toJson() {
      return json("replay", this, row);
    }
  }

  /** The same for every row that is parked in the partition. */
  record ReplayAll(String by, Instant at) implements Request {
    @Override
    public byte[] toJson() {
      return StateFields.bytes(begin("replay-all", this));
    }
  }

  /** Gives up the parked cells of one row for good; its later cells are called again. */
  record Discard(String by, Instant at, UUID row) implements Request {
    @Override
    public byte[] toJson() {
      return json("discard", this, row);
    }
  }

  /**
   * Goes on elsewhere.
   *
   * @param offset of the trigger's topic, in the partition that is asked
   */
  record Rewind(String by, Instant at, long offset) implements Request {
    @Override
    public byte[] toJson() {
      return StateFields.bytes(begin("rewind", this).put("offset", offset));
    }
  }

  private static byte[] json(String what, Request request, UUID row) {
    return StateFields.bytes(begin(what, request).put("row", row.toString()));
  }

  private static ObjectNode begin(String what, Request request) {
    return StateFields.value()
        .put("do", what)
        .put("by", request.by())
        .put("at", request.at().toString());
  }
}
