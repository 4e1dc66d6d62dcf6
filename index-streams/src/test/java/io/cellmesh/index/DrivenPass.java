package io.cellmesh.index;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexEntryCodec;
import io.cellmesh.cell.index.MisfitException;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.Pass;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;

/** A pass without a broker: records go in, entries come out. */
final class DrivenPass implements AutoCloseable {
  /** One partition, because the test driver has no more. */
  static final Shards SHARDS = new Shards(64, 1);

  static final Topics TOPICS = new Topics("trips");

  private final TopologyTestDriver driver;
  private final Map<String, TestInputTopic<byte[], byte[]>> inputs = new HashMap<>();

  /**
   * @param lagMs is told how old each record is when it is processed
   * @param stateDir its own
   */
  DrivenPass(Pass pass, AtomicLong lagMs, KeyValueBytesStoreSupplier rows, Path stateDir) {
    var settings =
        new IndexSettings(KafkaAccess.plain("none:1"), stateDir, 1, 0, -1)
            .properties("trips-index-p1");
    settings.remove(StreamsConfig.GROUP_PROTOCOL_CONFIG);
    this.driver =
        new TopologyTestDriver(IndexTopology.of(pass, TOPICS, SHARDS, lagMs, rows), settings);
  }

  void send(String topic, LogRecord record) {
    send(topic, Envelope.key(record.cell().key()), Envelope.write(record));
  }

  void send(String topic, byte[] key, byte[] value) {
    input(topic).pipeInput(key, value);
  }

  /**
   * @param record its time may be before 1970, as that of a record without one is
   */
  void send(String topic, TestRecord<byte[], byte[]> record) {
    input(topic).pipeInput(record);
  }

  private TestInputTopic<byte[], byte[]> input(String topic) {
    return inputs.computeIfAbsent(
        topic,
        name ->
            driver.createInputTopic(name, new ByteArraySerializer(), new ByteArraySerializer()));
  }

  /** What has come out of an index since the last call. */
  List<IndexEntry> entries(IndexDefinition definition) {
    var codec = new IndexEntryCodec(definition);
    var entries = new ArrayList<IndexEntry>();
    for (var record : records(definition)) {
      try {
        entries.add(codec.read(record.key(), record.value()));
      } catch (MisfitException e) {
        throw new AssertionError(e);
      }
    }
    return entries;
  }

  /** The same as records. */
  List<TestRecord<byte[], byte[]>> records(IndexDefinition definition) {
    return output(TOPICS.index(definition.label())).readRecordsToList();
  }

  TestOutputTopic<byte[], byte[]> unindexed() {
    return output(TOPICS.unindexed());
  }

  /** What has been written to the state's changelog since the last call. */
  List<KeyValue<byte[], byte[]>> changelog() {
    return output("trips-index-p1-" + IndexTopology.ROWS + "-changelog").readKeyValuesToList();
  }

  KeyValueStore<Bytes, byte[]> state() {
    return driver.getKeyValueStore(IndexTopology.ROWS);
  }

  /** Over all tags of the metric. */
  double counted(String metric) {
    return driver.metrics().entrySet().stream()
        .filter(m -> m.getKey().name().equals(metric))
        .mapToDouble(m -> (double) m.getValue().metricValue())
        .sum();
  }

  @Override
  public void close() {
    driver.close();
  }

  private TestOutputTopic<byte[], byte[]> output(String topic) {
    return driver.createOutputTopic(
        topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
