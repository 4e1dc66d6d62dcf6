package io.cellmesh.connect.sink;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topology;
import io.cellmesh.connect.converter.ConvertedValue;
import io.cellmesh.connect.sink.Batch.Range;
import io.cellmesh.connect.sink.base.Converters;
import io.cellmesh.connect.sink.base.Original;
import io.cellmesh.connect.sink.base.Rejections;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Packet;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;

/** Turns records into a {@link Batch}, and sends what is no cell to the rejections. One thread. */
final class RecordDecoder implements AutoCloseable {
  private final Topology topology;
  private final Rejections rejections;
  private final EnvelopeReader envelopes;
  private final SinkMetrics metrics;
  private final Map<String, IngestTopic> topics;
  private final Map<TopicPartition, Long> told = new HashMap<>();

  RecordDecoder(Topology topology, int bodyLimit, Rejections rejections, SinkMetrics metrics) {
    this.topology = topology;
    this.rejections = rejections;
    this.metrics = metrics;
    this.envelopes = new EnvelopeReader(bodyLimit);
    this.topics =
        Stream.of(IngestTopic.values())
            .collect(Collectors.toMap(topic -> topic.of(topology.topics()), topic -> topic));
  }

  /**
   * Cuts what a poll brought into pieces of bounded size, so that no statement outgrows MySQL's
   * packets, and memory stays bounded whatever the bodies.
   */
  static List<List<SinkRecord>> pieces(Collection<SinkRecord> records) {
    var pieces = new ArrayList<List<SinkRecord>>();
    List<SinkRecord> piece = new ArrayList<>();
    long bytes = 0;
    for (var record : records) {
      long size = Packet.ofRecord(Batch.bytes(record) + Batch.headerBytes(record));
      if (!piece.isEmpty() && bytes + size > Packet.BATCH) {
        pieces.add(piece);
        piece = new ArrayList<>();
        bytes = 0;
      }
      piece.add(record);
      bytes += size;
    }
    // An empty poll is a piece too: it lets lanes catch up.
    pieces.add(piece);
    return pieces;
  }

  /** The ranges of offsets that some records are, without their cells. */
  Batch ranges(List<SinkRecord> records) {
    var ranges = new LinkedHashMap<TopicPartition, Range>();
    for (var record : records) {
      var at = Original.partitionOf(record);
      ranges.computeIfAbsent(at, key -> new Range(key, topicOf(key.topic()))).seen(record);
    }
    return new Batch(new ArrayList<>(ranges.values()), records);
  }

  /** Reads the cells of a batch; what is no cell goes to the rejections. */
  void read(Batch batch) {
    for (var range : batch.ranges()) {
      for (var record : range.records()) {
        try {
          var cell = cell(range.topic(), record);
          int shard = topology.shards().of((byte[]) record.key());
          checkPartition(record, shard);
          range.add(topology.clusterOf(shard).name(), record.originalKafkaOffset(), shard, cell);
        } catch (InvalidCellException e) {
          reject(range.at(), record, e);
        }
      }
    }
  }

  /** Starts afresh with a partition. */
  void forget(TopicPartition at) {
    told.remove(at);
  }

  /** A batch that comes again, since it found no secondary, is not told again. */
  private void reject(TopicPartition at, SinkRecord record, InvalidCellException reason) {
    long offset = record.originalKafkaOffset();
    if (told.getOrDefault(at, -1L) < offset) {
      rejections.reject(record, reason);
      metrics.outcome(SinkMetric.Outcome.REJECTED, 1);
      told.put(at, offset);
    }
  }

  @Override
  public void close() {
    envelopes.close();
  }

  private Cell cell(IngestTopic topic, SinkRecord record) throws InvalidCellException {
    var key = Original.bytes(Converters.KEY, record.key());
    var value =
        record.value() instanceof ConvertedValue converted
            ? converted.envelope()
            : Original.bytes(Converters.VALUE, record.value());
    var cell =
        topic == IngestTopic.MESH
            ? envelopes.readMeshCell(key, value)
            : envelopes.readCell(key, value);
    checkOrigin(cell, record);
    return cell;
  }

  private void checkPartition(SinkRecord record, int shard) throws InvalidCellException {
    int expected = topology.shards().partitionOf(shard);
    if (record.originalKafkaPartition() != expected) {
      throw InvalidCellException.of(
          "record",
          "in partition %d although its key %s belongs into %d: produce with a murmur2 partitioner (Kafka's default; in librdkafka partitioner=murmur2_random)"
              .formatted(
                  record.originalKafkaPartition(),
                  new String((byte[]) record.key(), StandardCharsets.US_ASCII),
                  expected));
    }
  }

  /** A cell that was lost here, and that others had, keeps the id under which they know it. */
  private void checkOrigin(Cell cell, SinkRecord record) throws InvalidCellException {
    if (cell.origin().isPresent()
        && cell.origin().get().datacenter().equals(topology.datacenter())
        && record.headers().lastWithName(Envelope.RESTORED_HEADER) == null) {
      throw InvalidCellException.of(
          "origin",
          topology.datacenter(),
          "this data centre's own cells don't come through the mesh");
    }
  }

  /** The ingest topic that a record came from. */
  IngestTopic topicOf(SinkRecord record) {
    return topicOf(record.originalTopic());
  }

  /** The ingest topic of a name. */
  IngestTopic topicOf(String name) {
    var topic = topics.get(name);
    if (topic != null) {
      return topic;
    }
    throw new ConnectException(
        "topics: \"%s\" is not an ingest topic of instance %s; set topics to %s,%s"
            .formatted(
                name, topology.instance(), topology.topics().cells(), topology.topics().mesh()));
  }
}
