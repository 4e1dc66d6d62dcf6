package io.cellmesh.storage;

/**
 * How far a cluster has one ingest partition number: for each of the two topics the next offset
 * whose cells are not yet in its entity tables.
 */
public record Position(long cells, long mesh) {
  public static final Position START = new Position(0, 0);

  public long of(IngestTopic topic) {
    return topic == IngestTopic.CELLS ? cells : mesh;
  }

  /** This position with another offset for one topic. */
  public Position with(IngestTopic topic, long next) {
    return topic == IngestTopic.CELLS ? new Position(next, mesh) : new Position(cells, next);
  }
}
