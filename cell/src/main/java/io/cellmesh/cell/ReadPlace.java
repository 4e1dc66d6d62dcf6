package io.cellmesh.cell;

import java.util.OptionalLong;

/**
 * Where a consumer group goes on in a partition, judged by what it has committed and what the
 * partition still holds: so that an offset that is gone, and a record that expired before it was
 * read, is something to be told of and never a gap in silence.
 *
 * @param committed the next offset to read, if the group has one
 * @param begin the first offset that is retained
 * @param end the offset behind the last record
 */
public record ReadPlace(String topic, int partition, OptionalLong committed, long begin, long end) {

  /** What to make of it. */
  public enum State {
    /** The group goes on where it was. */
    FITS,
    /** Nothing is committed, and nothing was ever deleted: the first record is the place. */
    FROM_THE_FIRST,
    /** Nothing is committed, and the first records are gone, read or not. */
    FORGOTTEN,
    /** Retention has taken records that were not read. */
    EXPIRED,
    /** The partition ends before the place: the topic was recreated, or has lost its end. */
    CHANGED
  }

  public State state() {
    if (committed.isEmpty()) {
      return begin == 0 ? State.FROM_THE_FIRST : State.FORGOTTEN;
    }
    long next = committed.getAsLong();
    if (next > end) {
      return State.CHANGED;
    }
    return next < begin ? State.EXPIRED : State.FITS;
  }

  /** Whether going on would leave something out, so that a person has to say so. */
  public boolean bad() {
    return state() != State.FITS && state() != State.FROM_THE_FIRST;
  }

  /** The next offset to read, once what is lost is accepted. */
  public long next() {
    return state() == State.FITS ? committed.getAsLong() : begin;
  }

  /** What is wrong, in words; the place if nothing is. */
  public String text() {
    var at = topic + "-" + partition + ": ";
    return switch (state()) {
      case FITS -> at + "goes on at " + next();
      case FROM_THE_FIRST -> at + "begins with the first record";
      case FORGOTTEN ->
          at
              + "the group has no offset (Kafka forgets those of a group that is idle for a week), and the topic no longer has the records before %d"
                  .formatted(begin);
      case EXPIRED ->
          at
              + "records %d to %d expired before they were read"
                  .formatted(committed.getAsLong(), begin - 1);
      case CHANGED ->
          at
              + "ends at %d, before the next one to read, %d: the topic was recreated or has lost its end"
                  .formatted(end, committed.getAsLong());
    };
  }
}
