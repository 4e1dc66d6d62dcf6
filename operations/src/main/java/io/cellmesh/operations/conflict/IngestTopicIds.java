package io.cellmesh.operations.conflict;

import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.Consumers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;

/** Tells Kafka's ids of a data centre's ingest topics, which ledgers name records by. */
public final class IngestTopicIds {
  private IngestTopicIds() {}

  /**
   * Asks the brokers.
   *
   * @return by the topic's name
   * @throws OperationException if they don't answer, or lack one of the topics
   */
  public static Map<String, UUID> of(KafkaAccess kafka, Topics topics) {
    try (var admin = Consumers.admin(kafka)) {
      var ids = new HashMap<String, UUID>();
      admin
          .describeTopics(List.of(topics.cells(), topics.mesh()))
          .allTopicNames()
          .get()
          .forEach(
              (name, topic) ->
                  ids.put(
                      name,
                      new UUID(
                          topic.topicId().getMostSignificantBits(),
                          topic.topicId().getLeastSignificantBits())));
      return ids;
    } catch (ExecutionException e) {
      throw OperationException.unavailable(
          "the ingest topics can't be described: " + e.getCause().getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
