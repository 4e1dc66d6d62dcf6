package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.ParkedRow;
import io.cellmesh.topics.trigger.Reason;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Where this process is with a partition that the group has given to it. */
final class OwnedPartition {
  /** What comes next. */
  enum Stage {
    /** To ask for the group's offset. */
    OFFSET,
    /** To read what the state topic says. */
    STATE,
    /** To read cells and call back. */
    RUNNING,
    /** To wait for a person. */
    HALTED
  }

  final TopicPartition at;
  Stage stage = Stage.OFFSET;

  /** Why it is halted. */
  String why = "";

  /** The group's, null if there is none. */
  OffsetAndMetadata committed;

  /** The rows that are parked, as this process has written or found them. */
  final Map<UUID, ParkedRow> markers = new HashMap<>();

  /** The request that is being carried out, by its id. */
  Optional<String> request = Optional.empty();

  /** The discard or rewind that waits for callbacks to end, by its id; it comes before all. */
  Optional<String> waiting = Optional.empty();

  /** The requests that are carried out, until the state topic says so itself. */
  final Set<String> done = new HashSet<>();

  /** The offset of the last cell that was handed to the dispatcher, -1 if none was. */
  long lastFed = -1;

  /** What comes next, if it is no record of the log; else null. */
  ConsumerRecord<byte[], byte[]> damaged;

  /** What is wrong with it; null if nothing is. */
  Reason damage;

  /** Whether it is not read for the moment. */
  boolean paused = true;

  OwnedPartition(TopicPartition at) {
    this.at = at;
  }

  /** Begins anew, as though it had just been given. */
  void again() {
    stage = Stage.OFFSET;
    why = "";
    committed = null;
    markers.clear();
    request = Optional.empty();
    waiting = Optional.empty();
    done.clear();
    lastFed = -1;
    damaged = null;
  }

  void halt(String reason) {
    stage = Stage.HALTED;
    request = Optional.empty();
    waiting = Optional.empty();
    why = reason;
  }
}
