package io.cellmesh.operations.status;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.GroupLag;
import io.cellmesh.topics.TopicOffsets;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;

/**
 * How far the indexes of a data centre are behind, by the offsets that their readers commit; empty
 * where Kafka does not say.
 */
public final class IndexLag implements AutoCloseable {
  private final Topics topics;
  private final KafkaConsumer<byte[], byte[]> client;
  private final Admin admin;

  public IndexLag(DataCenter dc) {
    this.topics = dc.topology().topics();
    this.client = Consumers.open(dc.kafka());
    this.admin = Consumers.admin(dc.kafka());
  }

  /** Records of the log that index-streams has not taken into the indexes of a pass. */
  public Optional<Long> toRead(String pass) throws InterruptedException {
    return lag(InstanceNames.application(topics.instance(), pass), topics.log());
  }

  /** Entries of an index that its pass's sink connector has not written. */
  public Optional<Long> toWrite(IndexVersion index) throws InterruptedException {
    return lag(InstanceNames.sink(topics.instance(), index.pass()), topics.index(index.label()));
  }

  @Override
  public void close() {
    client.close();
    admin.close();
  }

  /** 0 without the topic: what is being dropped has nothing to do any more. */
  private Optional<Long> lag(String group, String topic) throws InterruptedException {
    try {
      var partitions = client.partitionsFor(topic);
      return Optional.of(
          partitions == null || partitions.isEmpty()
              ? 0L
              : GroupLag.of(GroupLag.committed(admin, group), TopicOffsets.of(client, topic)));
    } catch (KafkaException e) {
      return Optional.empty();
    }
  }
}
