package io.cellmesh.operations.mesh;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.topics.Consumers;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * Consumers of data centres' topics, one for each, which is opened when it is first asked for: to
 * open and to close one costs more than to read a partition. Serves one thread.
 */
final class TopicClients implements AutoCloseable {
  private final Map<DataCenter, KafkaConsumer<byte[], byte[]>> clients = new HashMap<>();

  /** The consumer of a data centre, which is not for the caller to close. */
  KafkaConsumer<byte[], byte[]> of(DataCenter dc) {
    return clients.computeIfAbsent(dc, any -> Consumers.open(dc.kafka()));
  }

  @Override
  public void close() {
    clients.values().forEach(KafkaConsumer::close);
  }
}
