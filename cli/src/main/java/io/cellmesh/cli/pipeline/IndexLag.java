package io.cellmesh.cli.pipeline;

import io.cellmesh.cell.Topics;
import io.cellmesh.cli.deployment.DataCenter;
import io.cellmesh.cli.kafka.Consumers;
import io.cellmesh.cli.kafka.GroupLag;
import io.cellmesh.cli.kafka.IndexGroups;
import io.cellmesh.cli.kafka.TopicOffsets;
import io.cellmesh.storage.index.IndexVersion;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;

/** How far the indexes of a data centre are behind, by the offsets that their readers commit. */
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
  public long toRead(String pass) throws InterruptedException {
    return lag(IndexGroups.application(topics.instance(), pass), topics.log());
  }

  /** Entries of an index that its pass's sink connector has not written. */
  public long toWrite(IndexVersion index) throws InterruptedException {
    return lag(IndexGroups.sink(topics.instance(), index.pass()), topics.index(index.label()));
  }

  @Override
  public void close() {
    client.close();
    admin.close();
  }

  /** 0 without the topic: what is being dropped has nothing to do any more. */
  private long lag(String group, String topic) throws InterruptedException {
    try {
      return GroupLag.of(GroupLag.committed(admin, group), TopicOffsets.of(client, topic));
    } catch (KafkaException e) {
      return 0;
    }
  }
}
