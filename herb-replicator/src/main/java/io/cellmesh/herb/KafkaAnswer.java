package io.cellmesh.herb;

import io.cellmesh.deployment.KafkaAccess;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/** Asks brokers and waits for what they say, {@value KafkaAccess#ANSWER_MS} ms at most. */
final class KafkaAnswer {
  private KafkaAnswer() {}

  static Admin admin(KafkaAccess kafka) {
    return Admin.create(kafka.admin());
  }

  /** What there is of a topic. */
  static TopicDescription topic(Admin admin, String name, KafkaAccess kafka)
      throws InterruptedException {
    return of(admin.describeTopics(Set.of(name)).topicNameValues().get(name), name, kafka);
  }

  /** Kafka's id of the cluster. */
  static String cluster(Admin admin) throws InterruptedException {
    return of(admin.describeCluster().clusterId(), "Kafka");
  }

  /**
   * Waits for an answer that is about a topic.
   *
   * @throws TopicAuthorizationException with its name, which brokers leave out
   * @throws KafkaException as {@link #of(KafkaFuture, String)}
   */
  static <T> T of(KafkaFuture<T> future, String topic, KafkaAccess kafka)
      throws InterruptedException {
    try {
      return of(future, "%s at %s".formatted(topic, kafka));
    } catch (KafkaException e) {
      if (e.getCause() instanceof TopicAuthorizationException) {
        throw new TopicAuthorizationException(Set.of(topic));
      }
      throw e;
    }
  }

  /**
   * Waits for an answer.
   *
   * @param from whom, for the message
   * @throws KafkaException with the cause that the brokers gave, or because there was no answer
   */
  static <T> T of(KafkaFuture<T> future, String from) throws InterruptedException {
    try {
      return future.get(KafkaAccess.ANSWER_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new KafkaException(from + ": " + e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new KafkaException(from + " does not answer", e);
    }
  }
}
