package io.cellmesh.index;

import io.cellmesh.deployment.KafkaAccess;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Looks, before a pass starts, whether the topics exist with the partitions that routing needs.
 * Those that cells are read from must have the same number for another reason, too: so the same
 * task reads a row from each of them.
 */
final class TopicCheck implements AutoCloseable {
  private static final int TIMEOUT_MS = 10_000;

  private final KafkaAccess kafka;
  private final Admin admin;

  TopicCheck(KafkaAccess kafka) {
    this.kafka = kafka;
    var settings = kafka.client();
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 2);
    this.admin = Admin.create(settings);
  }

  /**
   * @param partitioned topics that must have the given number of partitions
   * @param others topics that must exist
   * @throws UnusableException saying which topic is missing or what count to restore
   * @throws KafkaException if Kafka refuses, or does not answer within {@value #TIMEOUT_MS} ms
   */
  void run(Set<String> partitioned, int partitions, Set<String> others)
      throws UnusableException, InterruptedException {
    var wanted = new TreeSet<>(partitioned);
    wanted.addAll(others);
    var found = counts(wanted);
    var missing = new TreeSet<>(wanted);
    missing.removeAll(found.keySet());
    if (!missing.isEmpty()) {
      throw new UnusableException("topics are missing at " + kafka + ": " + missing);
    }
    var wrong = new TreeMap<>(found);
    wrong.entrySet().removeIf(t -> others.contains(t.getKey()) || t.getValue() == partitions);
    if (!wrong.isEmpty()) {
      throw new UnusableException(
          "these topics must have %d partitions, as the topology says, but have: %s"
              .formatted(partitions, wrong));
    }
  }

  @Override
  public void close() {
    admin.close();
  }

  private Map<String, Integer> counts(Set<String> topics) throws InterruptedException {
    var counts = new TreeMap<String, Integer>();
    describe(topics).forEach((topic, found) -> counts.put(topic, found.partitions().size()));
    return counts;
  }

  private Map<String, TopicDescription> describe(Set<String> topics) throws InterruptedException {
    var found = new TreeMap<String, TopicDescription>();
    // By name, so that of several that are refused it is always the same one that is told.
    var described = new TreeMap<>(admin.describeTopics(topics).topicNameValues());
    for (var topic : described.entrySet()) {
      try {
        found.put(topic.getKey(), topic.getValue().get(TIMEOUT_MS, TimeUnit.MILLISECONDS));
      } catch (ExecutionException e) {
        if (e.getCause() instanceof TopicAuthorizationException) {
          // Which one, the brokers leave out.
          throw new TopicAuthorizationException(Set.of(topic.getKey()));
        }
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw unreachable(e.getCause());
        }
      } catch (TimeoutException e) {
        throw unreachable(e);
      }
    }
    return found;
  }

  Admin admin() {
    return admin;
  }

  /** Kafka's id of a topic, which is another one once it was recreated; empty if there is none. */
  Optional<Uuid> id(String topic) throws InterruptedException {
    return Optional.ofNullable(describe(Set.of(topic)).get(topic)).map(TopicDescription::topicId);
  }

  /**
   * Waits for what Kafka says.
   *
   * @throws KafkaException if it refuses, or does not answer within {@value #TIMEOUT_MS} ms
   */
  <T> T answer(KafkaFuture<T> future) throws InterruptedException {
    try {
      return future.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new KafkaException(
          "Kafka at " + kafka + ": " + e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw unreachable(e);
    }
  }

  private KafkaException unreachable(Throwable cause) {
    return new KafkaException("Kafka at " + kafka + " does not answer: " + cause, cause);
  }

  /** What keeps a pass from starting until somebody changes a topic. */
  static class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableException(String message) {
      super(message);
    }
  }

  /** What keeps a pass from going on until a person has decided what to do without. */
  static final class HaltedException extends UnusableException {
    private static final long serialVersionUID = 1L;

    HaltedException(String message) {
      super(message);
    }
  }
}
