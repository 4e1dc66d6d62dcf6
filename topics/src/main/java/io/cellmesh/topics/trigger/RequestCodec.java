package io.cellmesh.topics.trigger;

import java.time.Instant;
import java.util.UUID;

/** Reads what {@link Request#toJson} wrote. */
final class RequestCodec {
  private RequestCodec() {}

  static Request read(StateFields fields) throws FieldException {
    var by = fields.text("by");
    Instant at = fields.time("at");
    return switch (fields.text("do")) {
      case "replay" -> new Request.Replay(by, at, row(fields));
      case "replay-all" -> new Request.ReplayAll(by, at);
      case "discard" -> new Request.Discard(by, at, row(fields));
      case "rewind" -> new Request.Rewind(by, at, fields.number("offset"));
      default -> throw fields.broken("do", "must be replay, replay-all, discard or rewind");
    };
  }

  private static UUID row(StateFields fields) throws FieldException {
    var text = fields.text("row");
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw fields.broken("row", "must be a UUID");
    }
  }
}
