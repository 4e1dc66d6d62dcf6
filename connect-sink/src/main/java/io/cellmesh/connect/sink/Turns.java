package io.cellmesh.connect.sink;

import io.cellmesh.storage.IngestTopic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Gives the two ingest topics turns, so that a backlog of one does not delay the other (invariant
 * 9). The consumer asks a broker for more only when all is delivered that it has from there, and
 * brings first what came first: behind a backlog nothing else would come for long. So a topic that
 * has brought many records stands back for the next poll, in which the other one is looked for.
 *
 * <p>The order within a topic's partition stays as it is. Used by the task's own thread alone.
 */
final class Turns {
  private final int many;
  private Optional<IngestTopic> back = Optional.empty();

  /**
   * @param many so many records of one topic are a turn
   */
  Turns(int many) {
    this.many = many;
  }

  /** The topic that stands back; empty if all are read. */
  Optional<IngestTopic> back() {
    return back;
  }

  /**
   * Notes what a poll brought, once it is dealt with.
   *
   * @return the topic that stands back for the next poll alone; empty if all are read
   */
  Optional<IngestTopic> next(
      Collection<SinkRecord> records, Function<SinkRecord, IngestTopic> topicOf) {
    // Whoever stood back is next in any case, be there anything of the other or not.
    back = back.isPresent() ? Optional.empty() : most(records, topicOf);
    return back;
  }

  /** The topic that has had its turn. */
  private Optional<IngestTopic> most(
      Collection<SinkRecord> records, Function<SinkRecord, IngestTopic> topicOf) {
    long mesh = records.stream().filter(r -> topicOf.apply(r) == IngestTopic.MESH).count();
    long cells = records.size() - mesh;
    if (Math.max(mesh, cells) < many) {
      return Optional.empty();
    }
    return Optional.of(mesh >= cells ? IngestTopic.MESH : IngestTopic.CELLS);
  }

  /**
   * Puts the data centre's own cells before those of its peers where these are many; a few go
   * together, which is less work.
   *
   * @return what is written one after the other, each in the order in which it came
   */
  static List<Collection<SinkRecord>> ownFirst(
      Collection<SinkRecord> records, int many, Function<SinkRecord, IngestTopic> topicOf) {
    var own = new ArrayList<SinkRecord>();
    var mesh = new ArrayList<SinkRecord>();
    records.forEach(r -> (topicOf.apply(r) == IngestTopic.MESH ? mesh : own).add(r));
    return own.isEmpty() || mesh.size() < many ? List.of(records) : List.of(own, mesh);
  }
}
