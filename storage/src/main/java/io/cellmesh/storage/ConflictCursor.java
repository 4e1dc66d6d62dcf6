package io.cellmesh.storage;

import io.cellmesh.storage.Decision.Place;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Where a conflict stands in the order in which ledgers are listed: those that are not told yet,
 * then the others, the one that was told last first. The order is total over all ledgers, so one
 * cursor goes on in each of them.
 *
 * <p>What is told while somebody turns pages moves to the beginning of the told ones: it may come
 * twice, and none that was there at the start is passed over.
 *
 * @param toldAt empty if it is not told yet
 */
public record ConflictCursor(Optional<Instant> toldAt, IngestTopic topic, Place place)
    implements Comparable<ConflictCursor> {
  private static final String UNTOLD = "untold";
  private static final Pattern TEXT =
      Pattern.compile(
          "(untold|[0-9TZ:.-]{20,32})/(cells|mesh)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/([0-9]{1,9})/([0-9]{1,18})");

  private static final Comparator<ConflictCursor> LATEST_LAST =
      Comparator.<ConflictCursor, Instant>comparing(cursor -> cursor.toldAt.orElse(Instant.MAX))
          .thenComparing(cursor -> cursor.place.partition())
          .thenComparing(ConflictCursor::topic)
          .thenComparing(cursor -> cursor.place.offset())
          .thenComparing(cursor -> cursor.place.topicId(), ConflictCursor::asBytes);

  /**
   * Reads the text form.
   *
   * @return empty if it is none
   */
  public static Optional<ConflictCursor> parse(String text) {
    var matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      var told = matcher.group(1);
      return Optional.of(
          new ConflictCursor(
              told.equals(UNTOLD) ? Optional.empty() : Optional.of(Instant.parse(told)),
              IngestTopic.ofColumn(matcher.group(2)),
              new Place(
                  UUID.fromString(matcher.group(3)),
                  Integer.parseInt(matcher.group(4)),
                  Long.parseLong(matcher.group(5)))));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  @Override
  public int compareTo(ConflictCursor other) {
    return LATEST_LAST.compare(other, this);
  }

  /** The text form, which {@link #parse} reads back. */
  @Override
  public String toString() {
    return "%s/%s/%s/%d/%d"
        .formatted(
            toldAt.map(Instant::toString).orElse(UNTOLD),
            topic.name().toLowerCase(Locale.ROOT),
            place.topicId(),
            place.partition(),
            place.offset());
  }

  /** In MySQL's order of a {@code BINARY(16)}. */
  private static int asBytes(UUID one, UUID other) {
    int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
  }
}
