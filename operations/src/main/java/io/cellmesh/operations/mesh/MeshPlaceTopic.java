package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.PartitionReader;
import io.cellmesh.topics.TopicOffsets;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What a data centre remembers of its links: {@code trips.mesh-place}, which its herb-replicator
 * reads and writes, too.
 */
record MeshPlaceTopic(DataCenter dc) {

  /** The newest value of each key; none without the topic. */
  Map<String, String> read(Consumer<byte[], byte[]> client) {
    var newest = new HashMap<String, String>();
    if (isThere(client)) {
      var offsets = TopicOffsets.of(client, name());
      new PartitionReader(client)
          .read(
              offsets.partition(0),
              offsets.begin(0),
              offsets.end(0),
              record -> newest.put(text(record.key()), text(record.value())));
    }
    newest.values().removeIf(Objects::isNull);
    return newest;
  }

  /** Whether a key tells of the link to a peer. */
  static boolean isOf(String key, String peer) {
    return key.equals(peer) || key.startsWith(peer + ":");
  }

  /**
   * Returns when all is safe. A topic that is missing is made first: a broker that makes it itself
   * would let what it holds expire.
   *
   * @param values by their keys; null removes one
   * @throws KafkaException if it is refused
   */
  void write(Map<String, String> values) throws InterruptedException {
    if (isMissing()) {
      if (values.values().stream().allMatch(Objects::isNull)) {
        return;
      }
      create();
    }
    var settings = dc.kafka().client();
    settings.put("acks", "all");
    try (var producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      var sent = new ArrayList<Future<RecordMetadata>>();
      values.forEach(
          (key, value) ->
              sent.add(producer.send(new ProducerRecord<>(name(), 0, bytes(key), bytes(value)))));
      for (var one : sent) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new KafkaException(name() + ": " + e.getCause().getMessage(), e.getCause());
    }
  }

  private boolean isMissing() {
    try (var client = Consumers.open(dc.kafka())) {
      return !isThere(client);
    }
  }

  private boolean isThere(Consumer<byte[], byte[]> client) {
    return client.listTopics().containsKey(name());
  }

  private void create() throws InterruptedException {
    var topology = dc.topology();
    try (var admin = Consumers.admin(dc.kafka())) {
      new InstanceTopics(admin, topology.topics(), topology.shards(), (short) -1)
          .createForMeshPlaces();
    }
  }

  private String name() {
    Topics topics = dc.topology().topics();
    return topics.meshPlace();
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }
}
