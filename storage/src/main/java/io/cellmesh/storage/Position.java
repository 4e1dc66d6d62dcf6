package io.cellmesh.storage;

/**
 * How far a cluster has one ingest partition number: for each of the two topics the next offset
 * whose cells are not yet in its entity tables.
 */
public record Position(Mark cells, Mark mesh) {
  public static final Position START = new Position(Mark.START, Mark.START);

  public Mark mark(IngestTopic topic) {
    return topic == IngestTopic.CELLS ? cells : mesh;
  }

  /** The next offset of a topic. */
  public long of(IngestTopic topic) {
    return mark(topic).next();
  }

  /** This position with another mark for one topic. */
  public Position with(IngestTopic topic, Mark mark) {
    return topic == IngestTopic.CELLS ? new Position(mark, mesh) : new Position(cells, mark);
  }
}
