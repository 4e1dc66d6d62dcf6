package io.cellmesh.e2e.faults;

import static org.awaitility.Awaitility.await;

import io.cellmesh.connect.client.ConnectorStatus;
import io.cellmesh.connect.client.ConnectorStatus.Part;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/** {@code trips.cells} and the sink's offsets in it, and what an operator can do to them. */
final class Ingest {
  static final String TOPIC = "trips.cells";

  private static final String GROUP = "connect-" + FaultStack.SINK;
  private static final Duration SOON = Duration.ofSeconds(60);

  private final FaultStack stack;

  Ingest(FaultStack stack) {
    this.stack = stack;
  }

  /** The offset behind the last record of each partition. */
  Map<Integer, Long> ends() {
    try (var client = Consumers.open(KafkaAccess.plain(stack.bootstrap()))) {
      var offsets = TopicOffsets.of(client, TOPIC);
      var ends = new TreeMap<Integer, Long>();
      for (int partition = 0; partition < offsets.partitions(); partition++) {
        ends.put(partition, offsets.end(partition));
      }
      return ends;
    }
  }

  /** The offsets that the sink has committed. */
  Map<Integer, Long> committed() throws Exception {
    try (var admin = admin()) {
      var committed = new TreeMap<Integer, Long>();
      admin
          .listConsumerGroupOffsets(GROUP)
          .partitionsToOffsetAndMetadata()
          .get()
          .forEach(
              (at, offset) -> {
                if (at.topic().equals(TOPIC)) {
                  committed.put(at.partition(), offset.offset());
                }
              });
      return committed;
    }
  }

  /** Deletes the records before the given offsets, as retention does. */
  void expire(Map<Integer, Long> before) throws Exception {
    try (var admin = admin()) {
      admin
          .deleteRecords(
              before.entrySet().stream()
                  .collect(
                      Collectors.toMap(
                          entry -> new TopicPartition(TOPIC, entry.getKey()),
                          entry -> RecordsToDelete.beforeOffset(entry.getValue()))))
          .all()
          .get();
    }
  }

  /** Ends the sink's tasks; returns when they have left their group. */
  void stopSink() {
    stack.connect().stop(FaultStack.SINK);
    await("no task of the sink").atMost(SOON).until(() -> stack.sink().tasks().isEmpty());
  }

  void resumeSink() {
    stack.connect().resume(FaultStack.SINK);
  }

  /** Sets offsets of the stopped sink by hand. */
  void setOffsets(Map<Integer, Long> offsets) {
    var json =
        offsets.entrySet().stream()
            .map(
                entry ->
                    "{\"partition\":{\"kafka_topic\":\"%s\",\"kafka_partition\":%d},\"offset\":{\"kafka_offset\":%d}}"
                        .formatted(TOPIC, entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(",", "{\"offsets\":[", "]}"));
    // Refused as long as the members of the group are not all gone.
    await()
        .atMost(SOON)
        .ignoreExceptions()
        .untilAsserted(() -> stack.connect().alterOffsets(FaultStack.SINK, json));
  }

  /** What the sink fails with, once it does: the whole trace. */
  String awaitFailure() {
    await("a failed sink").atMost(SOON).until(() -> stack.sink().failure().isPresent());
    return stack.sink().tasks().stream().map(Part::trace).collect(Collectors.joining("\n"));
  }

  void awaitRunning() {
    await("all tasks of the sink").atMost(SOON).until(() -> isRunning(stack.sink()));
  }

  /** Deletes the topic with all its records, and creates it anew. */
  void recreate() throws Exception {
    try (var admin = admin()) {
      admin.deleteTopics(List.of(TOPIC)).all().get();
      await("no topic").atMost(SOON).until(() -> !admin.listTopics().names().get().contains(TOPIC));
      var topology = stack.topology();
      new InstanceTopics(admin, topology.topics(), topology.shards(), (short) 1).create(List.of());
    }
    // Leaders that serve: of a producer's first two batches the second may otherwise come in alone,
    // and Kafka never takes the first one then.
    await("an empty topic")
        .atMost(SOON)
        .until(() -> ends().values().stream().allMatch(end -> end == 0));
  }

  private static boolean isRunning(ConnectorStatus status) {
    return status.isRunning() && status.failure().isEmpty();
  }

  private Admin admin() {
    return Consumers.admin(KafkaAccess.plain(stack.bootstrap()));
  }
}
