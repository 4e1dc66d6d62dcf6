package io.cellmesh.stack.chaos;

/**
 * What {@link WorkerSessions} have met.
 *
 * @param writes cells of which a worker said that Kafka has them
 * @param writesFailed calls that brought no such answer, each of which was repeated
 * @param reads answers that were judged
 * @param readsFailed calls that brought no answer, each of which was repeated
 * @param stale answers that lack what they must have
 */
public record SessionCounts(
    long writes, long writesFailed, long reads, long readsFailed, long stale) {
  static final SessionCounts NONE = new SessionCounts(0, 0, 0, 0, 0);

  SessionCounts plus(SessionCounts other) {
    return new SessionCounts(
        writes + other.writes,
        writesFailed + other.writesFailed,
        reads + other.reads,
        readsFailed + other.readsFailed,
        stale + other.stale);
  }

  /** What came since an earlier look. */
  SessionCounts since(SessionCounts before) {
    return new SessionCounts(
        writes - before.writes,
        writesFailed - before.writesFailed,
        reads - before.reads,
        readsFailed - before.readsFailed,
        stale - before.stale);
  }
}
