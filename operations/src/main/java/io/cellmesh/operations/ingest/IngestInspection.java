package io.cellmesh.operations.ingest;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.ingest.IngestFinding.State;
import io.cellmesh.storage.BufferTable;
import io.cellmesh.storage.BufferTable.CopyHeader;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Parallel;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PositionTable;
import io.cellmesh.storage.RecordDigest;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Compares the positions of all primaries with the topics and the buffers. */
public final class IngestInspection {
  private static final Duration RECORD = Duration.ofSeconds(5);
  private static final int ALL = 1_000_000;

  private final DataCenter datacenter;
  private final Nodes nodes;
  private final BufferTable buffer;
  private final PositionTable positions;

  public IngestInspection(DataCenter datacenter, Nodes nodes) {
    this.datacenter = datacenter;
    this.nodes = nodes;
    this.buffer = new BufferTable(datacenter.topology());
    this.positions = new PositionTable(datacenter.topology());
  }

  /**
   * A finding for every topic, partition and primary.
   *
   * @throws org.apache.kafka.common.KafkaException if Kafka does not answer, or does not show a
   *     record in time
   */
  public List<IngestFinding> run() throws SQLException {
    var primaries = datacenter.topology().clusters();
    // Those that are silent are waited for together, and not once more below.
    var answers = Parallel.ask(primaries, this::answers).iterator();
    var findings = new ArrayList<IngestFinding>();
    try (var client = Consumers.open(datacenter.kafka())) {
      for (var primary : primaries) {
        var known = answers.next() ? positions(primary) : null;
        for (var topic : IngestTopic.values()) {
          var offsets = TopicOffsets.of(client, topic.of(datacenter.topology().topics()));
          for (int partition = 0; partition < offsets.partitions(); partition++) {
            findings.add(judge(client, primary, topic, partition, known, offsets));
          }
        }
      }
    }
    findings.sort(
        Comparator.comparing(IngestFinding::topic)
            .thenComparing(IngestFinding::partition)
            .thenComparing(IngestFinding::primary));
    return findings;
  }

  private IngestFinding judge(
      Consumer<byte[], byte[]> client,
      StorageCluster primary,
      IngestTopic topic,
      int partition,
      Map<Integer, Position> known,
      TopicOffsets offsets)
      throws SQLException {
    if (known == null) {
      return new IngestFinding(topic, partition, primary.name(), Mark.START, State.UNKNOWN, 0, 0);
    }
    var mark = known.getOrDefault(partition, Position.START).mark(topic);
    var at = offsets.partition(partition);
    long before = mark.next() - 1;
    boolean changed =
        before >= offsets.end(partition)
            || (before >= offsets.begin(partition)
                && mark.digest() != 0
                && digest(client, at, before, RECORD).orElse(0) != mark.digest());
    if (changed) {
      return finding(topic, partition, primary, mark, State.CHANGED, mark.next(), 0);
    }
    long begin = offsets.begin(partition);
    if (mark.next() >= begin) {
      return finding(topic, partition, primary, mark, State.FITS, mark.next(), mark.next());
    }
    return judgeCopies(primary, topic, partition, mark, begin);
  }

  /** The topic no longer reaches back to the position: do the buffers? */
  private IngestFinding judgeCopies(
      StorageCluster primary, IngestTopic topic, int partition, Mark mark, long begin)
      throws SQLException {
    var held = new ArrayList<CopyHeader>();
    boolean all = true;
    for (var secondary : datacenter.topology().clusters()) {
      if (!secondary.equals(primary)) {
        try {
          held.addAll(
              nodes
                  .of(secondary.master())
                  .call(c -> buffer.held(c, primary.name(), topic, partition, mark.next(), ALL)));
        } catch (NodeUnavailableException e) {
          all = false;
        }
      }
    }
    held.sort(Comparator.comparingLong(CopyHeader::previous));
    long reached = mark.next();
    long next = begin;
    for (var copy : held) {
      if (copy.previous() <= reached) {
        reached = Math.max(reached, copy.end().next());
      } else {
        next = Math.min(next, copy.previous());
        break;
      }
    }
    if (reached >= begin) {
      return finding(topic, partition, primary, mark, State.FITS, mark.next(), mark.next());
    }
    return finding(
        topic, partition, primary, mark, all ? State.EXPIRED : State.UNKNOWN, reached, next);
  }

  private static IngestFinding finding(
      IngestTopic topic,
      int partition,
      StorageCluster primary,
      Mark mark,
      State state,
      long from,
      long to) {
    return new IngestFinding(topic, partition, primary.name(), mark, state, from, to);
  }

  private boolean answers(StorageCluster primary) {
    try {
      return positions(primary) != null;
    } catch (SQLException e) {
      // It says so again when its positions are judged.
      return true;
    }
  }

  private Map<Integer, Position> positions(StorageCluster primary) throws SQLException {
    var all = IntStream.range(0, datacenter.topology().shards().partitions()).boxed().toList();
    try {
      return nodes.of(primary.master()).call(connection -> positions.read(connection, all));
    } catch (NodeUnavailableException e) {
      return null;
    }
  }

  /**
   * The digest of the record at an offset; empty if there is none any more.
   *
   * @throws TimeoutException if Kafka shows neither it nor what comes behind it in time: it is slow
   *     then, and the topic may well be what it was
   */
  static OptionalLong digest(
      Consumer<byte[], byte[]> client, TopicPartition at, long offset, Duration patience) {
    client.assign(List.of(at));
    client.seek(at, offset);
    long end = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() - end < 0) {
      for (var record : client.poll(Duration.ofMillis(100)).records(at)) {
        return record.offset() == offset
            ? OptionalLong.of(RecordDigest.of(record.key(), record.value()))
            : OptionalLong.empty();
      }
      if (client.position(at) > offset) {
        return OptionalLong.empty();
      }
    }
    throw new TimeoutException(
        "whether record %d of %s is still the one that was read is not known, since it does not come within %d s; run this again when the brokers are well"
            .formatted(offset, at, patience.toSeconds()));
  }
}
