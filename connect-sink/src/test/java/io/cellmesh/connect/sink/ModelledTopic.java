package io.cellmesh.connect.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.RecordDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;

/** One partition in Kafka, and one consumer of it as a Connect worker drives it. */
final class ModelledTopic {
  final IngestTopic kind;
  final TopicPartition at;

  /** The records that are retained, by offset; what is missing between are markers. */
  final TreeMap<Long, SinkRecord> records = new TreeMap<>();

  long start;
  long end;

  /** What the group has committed; where a new owner begins. */
  long committed;

  private int generation;

  // As in Connect's WorkerSinkTask.
  private long position;
  private long current;
  private long lastCommitted;
  private Long rewind;

  ModelledTopic(IngestTopic kind, TopicPartition at) {
    this.kind = kind;
    this.at = at;
  }

  /** Adds records, with transactions now and then a marker between them. */
  void produce(int count, boolean transactions, Random random) {
    for (int i = 0; i < count; i++) {
      if (transactions && random.nextInt(20) == 0) {
        end++;
      }
      var value = generation + "/" + end;
      records.put(
          end, new SinkRecord(at.topic(), at.partition(), null, key(), null, bytes(value), end));
      end++;
    }
  }

  /** Retention takes everything below an offset. */
  void expire(long below) {
    start = Math.max(start, below);
    records.headMap(start).clear();
  }

  void recreate() {
    generation++;
    records.clear();
    start = 0;
    end = 0;
  }

  Mark markAfter(SinkRecord record) {
    return new Mark(
        record.kafkaOffset() + 1, RecordDigest.of((byte[]) record.key(), (byte[]) record.value()));
  }

  /** A new owner begins. */
  void assign() {
    position = committed;
    current = position;
    lastCommitted = position;
    rewind = null;
  }

  void ask(long offset) {
    rewind = offset;
  }

  void applyRewind() {
    if (rewind != null) {
      position = rewind;
      lastCommitted = rewind;
      current = rewind;
      rewind = null;
    }
  }

  List<SinkRecord> poll(int most) {
    if (position < start || position > end) {
      position = start;
    }
    var polled = new ArrayList<>(records.tailMap(position).values());
    var some = polled.subList(0, Math.min(most, polled.size()));
    if (!some.isEmpty()) {
      position = some.get(some.size() - 1).kafkaOffset() + 1;
    }
    return some;
  }

  void delivered(long next) {
    current = next;
  }

  long current() {
    return current;
  }

  /** What Connect commits; an offset that the task left out is what was last known. */
  void commit(Long proven) {
    if (proven != null && proven <= current) {
      lastCommitted = proven;
    }
    committed = lastCommitted;
  }

  private static byte[] key() {
    return bytes("key");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
