package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Topology;
import io.cellmesh.storage.IngestTopic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;

/** The ingest topics, and what a consumer group has committed of them. */
final class ModelledKafka {
  private final Map<TopicPartition, Log> logs = new LinkedHashMap<>();

  ModelledKafka(Topology topology) {
    for (var topic : IngestTopic.values()) {
      for (int p = 0; p < topology.shards().partitions(); p++) {
        var at = new TopicPartition(topic.of(topology.topics()), p);
        logs.put(at, new Log(at, topic));
      }
    }
  }

  /** One partition. */
  static final class Log {
    final TopicPartition at;
    final IngestTopic topic;

    /** All that were ever accepted; the first offset that is still there is {@link #start}. */
    final List<Accepted> records = new ArrayList<>();

    long start;
    long committed;

    Log(TopicPartition at, IngestTopic topic) {
      this.at = at;
      this.topic = topic;
    }

    long end() {
      return records.size();
    }
  }

  Log log(TopicPartition at) {
    return logs.get(at);
  }

  Iterable<Log> logs() {
    return logs.values();
  }

  Log log(IngestTopic topic, int partition) {
    for (var log : logs.values()) {
      if (log.topic == topic && log.at.partition() == partition) {
        return log;
      }
    }
    throw new IllegalArgumentException(topic + " " + partition);
  }

  void produce(Log log, byte[] key, byte[] value, Produced cell, long now) {
    var record =
        new SinkRecord(log.at.topic(), log.at.partition(), null, key, null, value, log.end());
    log.records.add(new Accepted(log, record, cell, now));
  }

  /** Forgets what is committed. */
  void retain() {
    for (var log : logs.values()) {
      log.start = Math.max(log.start, log.committed);
    }
  }

  /** What a poll brings from a place, which moves to the beginning if that is past it. */
  static List<SinkRecord> read(Log log, long from, int most) {
    var records = new ArrayList<SinkRecord>();
    for (long o = from; o < log.end() && records.size() < most; o++) {
      records.add(log.records.get((int) o).record());
    }
    return records;
  }

  static UUID topicId(String topic) {
    return new UUID(7, topic.hashCode());
  }
}
