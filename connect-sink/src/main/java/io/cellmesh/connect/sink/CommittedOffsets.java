package io.cellmesh.connect.sink;

import io.cellmesh.connect.sink.base.AdminClients;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the brokers what the sink's group has committed, one question after the other, and waits for
 * no answer. Where it gets none, as without the right to ask, or can't ask, nothing is known. For
 * one thread.
 */
final class CommittedOffsets implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CommittedOffsets.class);

  private final Map<String, Object> client;
  private final String group;
  private Admin admin;
  private KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> question;

  /**
   * @param client settings of a Kafka client
   */
  CommittedOffsets(Map<String, Object> client, String group) {
    this.client = client;
    this.group = group;
  }

  /** Asks, unless it waits for an answer. */
  void ask(Set<TopicPartition> partitions) {
    if (question != null || partitions.isEmpty()) {
      return;
    }
    var wanted = new ListConsumerGroupOffsetsSpec().topicPartitions(partitions);
    try {
      if (admin == null) {
        admin = AdminClients.create(client);
      }
      question =
          admin
              .listConsumerGroupOffsets(Map.of(group, wanted))
              .partitionsToOffsetAndMetadata(group);
    } catch (RetriableException e) {
      LOG.debug("what {} has committed can't be asked for", group, e);
    }
  }

  /** The answer, once; empty while there is none. */
  Optional<Map<TopicPartition, Long>> answer() {
    if (question == null || !question.isDone()) {
      return Optional.empty();
    }
    try {
      var offsets = new HashMap<TopicPartition, Long>();
      question
          .get()
          .forEach(
              (at, offset) -> {
                if (offset != null) {
                  offsets.put(at, offset.offset());
                }
              });
      return Optional.of(offsets);
    } catch (ExecutionException e) {
      LOG.debug("what {} has committed can't be asked for", group, e);
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      question = null;
    }
  }

  @Override
  public void close() {
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }
}
