package io.cellmesh.herb;

import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;

/** Asks brokers how many partitions a topic has. */
final class PartitionCount {
  private static final int TIMEOUT_MS = 10_000;

  private PartitionCount() {}

  /**
   * @throws UnknownException if the brokers don't answer or have no such topic yet
   */
  static int of(String topic, String bootstrap) throws UnknownException, InterruptedException {
    var settings = new Properties();
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 2);
    try (var admin = Admin.create(settings)) {
      return admin
          .describeTopics(Set.of(topic))
          .topicNameValues()
          .get(topic)
          .get(TIMEOUT_MS, TimeUnit.MILLISECONDS)
          .partitions()
          .size();
    } catch (ExecutionException e) {
      throw new UnknownException(topic + " at " + bootstrap + ": " + e.getCause().getMessage(), e);
    } catch (TimeoutException | KafkaException e) {
      throw new UnknownException(topic + " at " + bootstrap + ": " + e.getMessage(), e);
    }
  }

  /** No answer yet; asking again may help. */
  static final class UnknownException extends Exception {
    private static final long serialVersionUID = 1L;

    UnknownException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
