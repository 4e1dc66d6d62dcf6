package io.cellmesh.connect.source;

import io.cellmesh.cell.Envelope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Kafka's topics and Connect's offsets: what a task has handed out waits, arrives partition by
 * partition, and moves the offset that Connect stores once all before it has arrived. Looks at each
 * record that arrives (invariants 2 and 8).
 */
final class ModelledLog {
  private final FakeTaskContext connect;
  private final List<SourceRecord> waiting = new ArrayList<>();
  private final List<Boolean> arrived = new ArrayList<>();
  private SourceRecord committable;

  /** The ids under which a shard's cells were shown, by topic and shard. */
  private final Map<String, List<Long>> shown = new HashMap<>();

  ModelledLog(FakeTaskContext connect) {
    this.connect = connect;
  }

  void handedOut(List<SourceRecord> records) {
    records.forEach(
        record -> {
          waiting.add(record);
          arrived.add(false);
        });
  }

  /** The first record that waits for some partition arrives; false if none waits. */
  boolean arrive(int which) {
    var firsts = new ArrayList<Integer>();
    var seen = new ArrayList<String>();
    for (int i = 0; i < waiting.size(); i++) {
      var to = waiting.get(i).topic() + "-" + waiting.get(i).kafkaPartition();
      if (!arrived.get(i) && !seen.contains(to)) {
        seen.add(to);
        firsts.add(i);
      }
    }
    if (firsts.isEmpty()) {
      return false;
    }
    int chosen = firsts.get(which % firsts.size());
    show(waiting.get(chosen));
    arrived.set(chosen, true);
    while (!waiting.isEmpty() && arrived.get(0)) {
      committable = waiting.remove(0);
      arrived.remove(0);
    }
    return true;
  }

  /** Connect stores the offset. */
  void flush() {
    if (committable != null) {
      connect.store(committable);
    }
  }

  /** The worker has died: what has not arrived is gone. */
  void die() {
    waiting.clear();
    arrived.clear();
    committable = null;
  }

  private void show(SourceRecord record) {
    int shard = Integer.parseInt(header(record, Envelope.SHARD_HEADER));
    long id = Long.parseLong(header(record, Envelope.ADDED_ID_HEADER));
    int cell = cell(record);
    var ids = shown.computeIfAbsent(record.topic() + "/" + shard, key -> new ArrayList<>());
    int known = ids.indexOf(id);
    boolean repeats = known >= 0 && known == cell;
    boolean follows =
        cell == ids.size() && (ids.isEmpty() || ids.get(ids.size() - 1) < id) && known < 0;
    if (follows) {
      ids.add(id);
    } else if (!repeats) {
      throw new AssertionError(
          "%s shows cell %d of shard %d as %d after %s"
              .formatted(record.topic(), cell, shard, id, ids));
    }
  }

  /** The ids under which a topic has shown a shard's cells. */
  List<Long> shown(String topic, int shard) {
    return shown.getOrDefault(topic + "/" + shard, List.of());
  }

  static int cell(SourceRecord record) {
    var row = UUID.fromString(new String((byte[]) record.key(), StandardCharsets.UTF_8));
    return (int) row.getLeastSignificantBits();
  }

  static String header(SourceRecord record, String name) {
    return new String((byte[]) record.headers().lastWithName(name).value(), StandardCharsets.UTF_8);
  }
}
