package io.cellmesh.topics.trigger;

import java.time.Instant;

/**
 * That a row is parked: its later cells go the same way without being tried.
 *
 * @param first offset, in the row's partition of {@code trips.parked}, of the cell that failed
 * @param next offset of the first one that is still to be replayed or discarded
 * @param last offset of the newest
 * @param count of cells from {@code next} to {@code last}
 * @param since when the first was parked
 * @param reason of the first
 */
public record ParkedRow(long first, long next, long last, long count, Instant since, Reason reason)
    implements StateValue {

  /** The same with one more cell behind the others. */
  public ParkedRow and(long offset) {
    return new ParkedRow(first, next, offset, count + 1, since, reason);
  }

  @Override
  public byte[] toJson() {
    var json = StateFields.value();
    json.put("first", first).put("next", next).put("last", last).put("count", count);
    json.put("since", since.toString());
    json.set("reason", reason.toJson());
    return StateFields.bytes(json);
  }

  static ParkedRow read(StateFields fields) throws FieldException {
    return new ParkedRow(
        fields.number("first"),
        fields.number("next"),
        fields.number("last"),
        fields.number("count"),
        fields.time("since"),
        Reason.read(fields.object("reason")));
  }
}
