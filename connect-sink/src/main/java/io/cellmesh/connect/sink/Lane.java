package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Position;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The cells of one primary in one ingest partition number: the unit of order. For each of the two
 * topics a lane knows
 *
 * <ul>
 *   <li>{@code copied}: every cell below it stands in a copy or in the entity tables; the next copy
 *       begins there,
 *   <li>{@code applied}: every cell below it is in the entity tables.
 * </ul>
 *
 * <p>A lane that has more copied than applied is <em>behind</em>: it must catch up from the buffers
 * before it takes new cells, or the order would break (invariant 2).
 *
 * <p>Used by the task's own thread alone; what runs beside it reports back to that thread.
 */
final class Lane {
  private static final long UNKNOWN = -1;

  private final StorageCluster primary;
  private final int partition;
  private final long[] copied = {UNKNOWN, UNKNOWN};
  private final long[] applied = {UNKNOWN, UNKNOWN};
  private final long[] copiedBefore = {UNKNOWN, UNKNOWN};
  private final boolean[] rewinding = {false, false};
  private final long[] wanted = {UNKNOWN, UNKNOWN};
  private final boolean[] stuck = {false, false};
  private final long[] left = {UNKNOWN, UNKNOWN};
  private final long[] secured = {UNKNOWN, UNKNOWN};
  private Position stored;

  Lane(StorageCluster primary, int partition) {
    this.primary = primary;
    this.partition = partition;
  }

  StorageCluster primary() {
    return primary;
  }

  int partition() {
    return partition;
  }

  /** Whether this lane has met the topic since its task owns the partition. */
  boolean begun(IngestTopic topic) {
    return copied[topic.ordinal()] != UNKNOWN;
  }

  /** Whether the position in the database is known. */
  boolean positionKnown() {
    return stored != null;
  }

  /** The position that this lane found or left in the database. */
  Position stored() {
    return stored;
  }

  long copied(IngestTopic topic) {
    return copied[topic.ordinal()];
  }

  long applied(IngestTopic topic) {
    return applied[topic.ordinal()];
  }

  /**
   * The first records of a topic begin at an offset. Everything below it has been secured, by this
   * task's predecessor, so what the position lacks must be in the buffers.
   */
  void begin(IngestTopic topic, long first) {
    int t = topic.ordinal();
    copied[t] = first;
    if (stored != null) {
      reached(topic);
    }
  }

  /**
   * Records of the topic have come: what of this batch is copied from now on does not count yet.
   */
  void startBatch(IngestTopic topic) {
    rewinding[topic.ordinal()] = false;
    copiedBefore[topic.ordinal()] = copied[topic.ordinal()];
  }

  /** Whether nothing before the current batch is missing on the primary. */
  boolean readyForBatch(IngestTopic topic) {
    int t = topic.ordinal();
    return stored != null && !rewinding[t] && applied[t] >= copiedBefore[t];
  }

  /** The position was read, or a transaction found it to be another than remembered. */
  void found(Position position) {
    stored = position;
    for (var topic : IngestTopic.values()) {
      if (begun(topic)) {
        reached(topic);
      }
    }
  }

  private void reached(IngestTopic topic) {
    int t = topic.ordinal();
    if (applied[t] != stored.of(topic)) {
      stuck[t] = false;
    }
    applied[t] = stored.of(topic);
    // What the entity tables have needs no copy, and a copy must not claim to have it.
    copied(topic, stored.of(topic));
    if (rewinding[t] && copied[t] >= wanted[t]) {
      // The buffers had it after all.
      rewinding[t] = false;
    }
  }

  /** A copy of everything up to {@code next} is written. */
  void copied(IngestTopic topic, long next) {
    copied[topic.ordinal()] = Math.max(copied[topic.ordinal()], next);
  }

  /** The result of a transaction is not known: the position is looked up before the next one. */
  void forgetPosition() {
    stored = null;
  }

  /** Whether cells wait in the buffers for this lane. */
  boolean behind(IngestTopic topic) {
    int t = topic.ordinal();
    return begun(topic) && !rewinding[t] && applied[t] < copied[t];
  }

  boolean behind() {
    return behind(IngestTopic.CELLS) || behind(IngestTopic.MESH);
  }

  /**
   * The buffers have copies up to an offset, which an earlier owner left, and no record has come
   * yet that would begin the topic.
   */
  void left(IngestTopic topic, long end) {
    left[topic.ordinal()] = Math.max(left[topic.ordinal()], end);
  }

  /**
   * Reading begins at an offset, so an earlier owner has secured what lies before it, and no record
   * has come yet that would begin the topic. What neither the position nor copies have of it is
   * read again.
   */
  void securedBefore(IngestTopic topic, long start) {
    secured[topic.ordinal()] = Math.max(secured[topic.ordinal()], start);
  }

  /** Up to where an earlier owner's cells are, by the position and the copies that were found. */
  long found(IngestTopic topic) {
    return Math.max(stored.of(topic), left[topic.ordinal()]);
  }

  /** Whether something that was left still waits. */
  boolean leftBehind() {
    return target(IngestTopic.CELLS).isPresent() || target(IngestTopic.MESH).isPresent();
  }

  /** The offset up to which the buffers have cells that the primary lacks; empty if none wait. */
  OptionalLong target(IngestTopic topic) {
    int t = topic.ordinal();
    if (rewinding[t]) {
      return OptionalLong.of(wanted[t]);
    }
    if (behind(topic)) {
      return OptionalLong.of(copied[t]);
    }
    if (begun(topic)) {
      // The records that were asked for may end before they have all come.
      return rewound(topic) ? OptionalLong.of(wanted[t]) : OptionalLong.empty();
    }
    long had = Math.max(left[t], secured[t]);
    boolean waits = had != UNKNOWN && (stored == null || stored.of(topic) < had);
    return waits ? OptionalLong.of(had) : OptionalLong.empty();
  }

  /** Whether only copies can say that there are no further cells: the position can't, for now. */
  boolean needsCopies(IngestTopic topic) {
    return behind(topic) || (begun(topic) && !rewinding(topic) && !positionKnown());
  }

  /**
   * Whether all that was read of a topic reached this lane, so that the next copy joins the last.
   */
  boolean inOrder(IngestTopic topic) {
    return begun(topic) && !rewinding(topic);
  }

  /** Whether copies reach up to where the position is to go. */
  boolean claims(Position next) {
    return Arrays.stream(IngestTopic.values())
        .allMatch(t -> next.of(t) == stored.of(t) || copied(t) >= next.of(t));
  }

  /** Whether a topic's position may be taken to where the topic has been read, without cells. */
  boolean upToDate(IngestTopic topic) {
    return positionKnown() && begun(topic) && !behind(topic) && !rewinding(topic);
  }

  /**
   * The buffers have a gap behind the position: the topic is read again from there, and until its
   * records come, or what the buffers lacked turns up in them, this lane must not write.
   *
   * <p>A lane that is told so again, before or after the first records, still wants all that it
   * had: else, when the rest proves to be gone, its next copy would claim to join a position that
   * it does not, and catching up would pass over what lies between (invariant 2).
   */
  void rewind(IngestTopic topic) {
    int t = topic.ordinal();
    wanted[t] = Math.max(Math.max(wanted[t], copied[t]), Math.max(left[t], secured[t]));
    copied[t] = stored.of(topic);
    applied[t] = stored.of(topic);
    rewinding[t] = true;
  }

  boolean rewinding(IngestTopic topic) {
    return rewinding[topic.ordinal()];
  }

  /** Whether what was rewound for has not all come yet. */
  boolean rewound(IngestTopic topic) {
    int t = topic.ordinal();
    return begun(topic) && copied[t] < wanted[t];
  }

  /**
   * Neither the buffers nor the topic have what follows the position: the lane's cells stay in the
   * buffers, from an offset on, until somebody moves the position or a server with copies returns.
   */
  void stuck(IngestTopic topic, long from) {
    int t = topic.ordinal();
    rewinding[t] = false;
    stuck[t] = true;
    if (!begun(topic) && positionKnown()) {
      applied[t] = stored.of(topic);
    }
    copied(topic, from);
  }

  boolean stuck(IngestTopic topic) {
    return stuck[topic.ordinal()];
  }

  @Override
  public String toString() {
    return "%s/%d copied %s applied %s"
        .formatted(primary.name(), partition, Arrays.toString(copied), Arrays.toString(applied));
  }
}
