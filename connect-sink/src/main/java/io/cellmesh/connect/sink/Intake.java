package io.cellmesh.connect.sink;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.Batch.Range;
import io.cellmesh.storage.IngestTopic;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;

/** Turns records into a {@link Batch}, and sends what is no cell to the rejections. One thread. */
final class Intake implements AutoCloseable {
  private final Topology topology;
  private final Rejections rejections;
  private final EnvelopeReader envelopes;

  Intake(Topology topology, int bodyLimit, Rejections rejections) {
    this.topology = topology;
    this.rejections = rejections;
    this.envelopes = new EnvelopeReader(bodyLimit);
  }

  Batch read(Collection<SinkRecord> records) {
    var ranges = new LinkedHashMap<TopicPartition, Range>();
    for (var record : records) {
      var at = new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
      long offset = record.originalKafkaOffset();
      var range =
          ranges.computeIfAbsent(
              at, key -> new Range(topicOf(key.topic()), key.partition(), offset));
      try {
        var cell = cell(range.topic(), record);
        int shard = topology.shards().of(cell.key().rowKey());
        range.add(topology.clusterOf(shard).name(), offset, cell);
      } catch (InvalidCellException e) {
        rejections.reject(record, e);
      }
      range.seen(offset);
    }
    return new Batch(ranges.values(), records);
  }

  @Override
  public void close() {
    envelopes.close();
  }

  private Cell cell(IngestTopic topic, SinkRecord record) throws InvalidCellException {
    var key = bytes("key.converter", record.key());
    var value = bytes("value.converter", record.value());
    var cell =
        topic == IngestTopic.MESH
            ? envelopes.readMeshCell(key, value)
            : envelopes.readCell(key, value);
    checkPartition(record, key);
    checkOrigin(cell);
    return cell;
  }

  private void checkPartition(SinkRecord record, byte[] key) throws InvalidCellException {
    var shards = topology.shards();
    int expected = shards.partitionOf(shards.of(key));
    if (record.originalKafkaPartition() != expected) {
      throw InvalidCellException.of(
          "record",
          "in partition %d although its key %s belongs into %d: produce with a murmur2 partitioner (Kafka's default; in librdkafka partitioner=murmur2_random)"
              .formatted(
                  record.originalKafkaPartition(),
                  new String(key, StandardCharsets.US_ASCII),
                  expected));
    }
  }

  private void checkOrigin(Cell cell) throws InvalidCellException {
    if (cell.origin().isPresent()
        && cell.origin().get().datacenter().equals(topology.datacenter())) {
      throw InvalidCellException.of(
          "origin",
          topology.datacenter(),
          "this data centre's own cells don't come through the mesh");
    }
  }

  /** The ingest topic of a name. */
  IngestTopic topicOf(String name) {
    for (var topic : IngestTopic.values()) {
      if (topic.of(topology.topics()).equals(name)) {
        return topic;
      }
    }
    throw new ConnectException(
        "topics: \"%s\" is not an ingest topic of instance %s; set topics to %s,%s"
            .formatted(
                name, topology.instance(), topology.topics().cells(), topology.topics().mesh()));
  }

  private static byte[] bytes(String setting, Object value) {
    if (value == null || value instanceof byte[]) {
      return (byte[]) value;
    }
    throw new ConnectException(
        setting + " must be org.apache.kafka.connect.converters.ByteArrayConverter");
  }
}
