package io.cellmesh.operations.mesh.joining;

import io.cellmesh.cell.proof.ProofStart;
import io.cellmesh.deployment.CheckpointTopic;
import io.cellmesh.deployment.DataCenter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Marks the shards of a data centre that have all cells of its own, among its checkpoints. */
final class ProofStarts implements AutoCloseable {
  private final DataCenter dc;
  private final KafkaProducer<byte[], byte[]> producer;

  ProofStarts(DataCenter dc) {
    this.dc = dc;
    var settings = dc.kafka().client();
    settings.put("acks", "all");
    this.producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** The origin_ids up to which shards have all, by shard; none of those without a mark. */
  static Map<Integer, Long> of(DataCenter dc) {
    var starts = new HashMap<Integer, Long>();
    try (var checkpoints = new CheckpointTopic(dc.kafka(), dc.topology())) {
      checkpoints.readToEnd(
          (key, value) ->
              ProofStart.read(new String(key, StandardCharsets.UTF_8), value)
                  .ifPresent(start -> starts.put(start.shard(), start.after())));
    }
    return starts;
  }

  /**
   * Returns when the mark is safe.
   *
   * @throws KafkaException if it is refused
   */
  void mark(ProofStart start) throws InterruptedException {
    var topology = dc.topology();
    var topic = topology.topics().checkpoint();
    var key = start.key().getBytes(StandardCharsets.UTF_8);
    int partition = topology.shards().partitionOf(start.shard());
    try {
      producer.send(new ProducerRecord<>(topic, partition, key, start.value())).get();
    } catch (ExecutionException e) {
      throw new KafkaException(topic + ": " + e.getCause().getMessage(), e.getCause());
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
