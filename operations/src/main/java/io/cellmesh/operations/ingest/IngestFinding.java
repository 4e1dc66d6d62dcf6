package io.cellmesh.operations.ingest;

import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;

/**
 * How one partition of an ingest topic and one primary fit together.
 *
 * @param position that the primary has
 * @param from first offset that nobody has, if some are missing; otherwise the position
 * @param to offset at which it could go on
 */
public record IngestFinding(
    IngestTopic topic,
    int partition,
    String primary,
    Mark position,
    State state,
    long from,
    long to) {

  /** What was found. */
  public enum State {
    /** The topic goes on where the position is, or the buffers lead to it. */
    FITS,
    /** Nobody has some records any more that the primary lacks. */
    EXPIRED,
    /** The record before the position is another one, or beyond the topic's end. */
    CHANGED,
    /** The primary's master, or a buffer that may matter, does not answer. */
    UNKNOWN
  }

  public boolean bad() {
    return state == State.EXPIRED || state == State.CHANGED;
  }

  /** In words, for a person. */
  public String text() {
    return switch (state) {
      case FITS -> "fits";
      case EXPIRED ->
          "records %d to %d are neither in the topic nor in a buffer".formatted(from, to - 1);
      case CHANGED ->
          "the record before %d is another one or gone: recreated, or its end was lost"
              .formatted(position.next());
      case UNKNOWN -> "not known: a MySQL server that matters does not answer";
    };
  }
}
