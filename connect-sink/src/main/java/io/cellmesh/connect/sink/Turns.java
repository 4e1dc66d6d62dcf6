package io.cellmesh.connect.sink;

import io.cellmesh.storage.IngestTopic;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;

/**
 * Gives the two ingest topics turns, so that a backlog of one does not delay the other (invariant
 * 9). The consumer asks a broker for more only when all is delivered that it has from there, and
 * brings first what came first: behind a backlog nothing else would come for long. So a topic that
 * has brought many records stands back for the next poll, in which the other one is looked for.
 *
 * <p>The order within a topic's partition stays as it is. Used by the task's own thread alone.
 */
final class Turns {
  /** How long, in milliseconds, the other topic is looked for while one stands back. */
  private static final long LOOK = 25;

  private final int many;
  private final SinkTaskContext context;
  private final Function<String, IngestTopic> topicOf;

  /** The topic that stands back; empty if all are read. */
  private Optional<IngestTopic> back = Optional.empty();

  /** Whether Connect may hold partitions back. */
  private boolean held;

  /**
   * @param many so many records of one topic are a turn
   * @param topicOf the ingest topic of a name
   */
  Turns(int many, SinkTaskContext context, Function<String, IngestTopic> topicOf) {
    this.many = many;
    this.context = context;
    this.topicOf = topicOf;
  }

  /**
   * Notes that partitions are owned anew. One that stood back when it was taken away may stand back
   * still: Connect does not forget such a pause while it repeats a delivery ({@code WorkerSinkTask}
   * of Kafka 4.3.1).
   */
  void opened() {
    held = true;
  }

  /**
   * Has whoever stood back read again, and the topic that has had its turn stand back for the next
   * poll alone. Called when it is dealt with what a poll brought, and not before: Connect pauses
   * everything until a delivery that failed has succeeded.
   *
   * @param cells how many records a poll brought of this data centre's own
   * @param mesh and how many of its peers'
   */
  void next(int cells, int mesh) {
    if (held) {
      context.resume(context.assignment().toArray(TopicPartition[]::new));
    }
    // Whoever stood back is next in any case, be there anything of the other or not.
    back = back.isPresent() ? Optional.empty() : most(cells, mesh);
    back.ifPresent(this::pause);
    held = back.isPresent();
  }

  /** The topic that has had its turn. */
  private Optional<IngestTopic> most(int cells, int mesh) {
    if (Math.max(mesh, cells) < many) {
      return Optional.empty();
    }
    return Optional.of(mesh >= cells ? IngestTopic.MESH : IngestTopic.CELLS);
  }

  private void pause(IngestTopic topic) {
    var partitions = context.assignment().stream().filter(at -> topicOf.apply(at.topic()) == topic);
    context.pause(partitions.toArray(TopicPartition[]::new));
    context.timeout(LOOK);
  }

  /**
   * Puts the data centre's own cells before those of its peers where these are many; a few go
   * together, which is less work.
   *
   * @return what is written one after the other, each in the order in which it came
   */
  static List<Collection<SinkRecord>> ownFirst(
      Collection<SinkRecord> records, int many, Function<SinkRecord, IngestTopic> topicOf) {
    Predicate<SinkRecord> isMesh = record -> topicOf.apply(record) == IngestTopic.MESH;
    long mesh = records.stream().filter(isMesh).count();
    if (mesh < many || mesh == records.size()) {
      return List.of(records);
    }
    var split = records.stream().collect(Collectors.partitioningBy(isMesh));
    return List.of(split.get(false), split.get(true));
  }
}
