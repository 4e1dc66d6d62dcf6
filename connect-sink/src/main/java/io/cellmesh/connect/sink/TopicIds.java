package io.cellmesh.connect.sink;

import io.cellmesh.connect.sink.base.AdminClients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;

/**
 * Asks the brokers once for the id of each topic: a topic that is made again under its name has
 * another one, and the task that notices it begins anew. Thread-safe.
 */
final class TopicIds implements Function<String, UUID> {
  private static final int SECONDS = 5;

  private final Map<String, Object> client;
  private final Map<String, UUID> known = new ConcurrentHashMap<>();

  /**
   * @param client settings of a Kafka client
   */
  TopicIds(Map<String, Object> client) {
    this.client = client;
  }

  /**
   * @throws RetriableException if no broker answers within {@value #SECONDS} seconds, or none can
   *     be asked
   */
  @Override
  public UUID apply(String topic) {
    var id = known.get(topic);
    if (id == null) {
      id = ask(topic);
      known.put(topic, id);
    }
    return id;
  }

  private UUID ask(String topic) {
    try (var admin = Closing.of(AdminClients.create(client))) {
      var id =
          admin
              .client()
              .describeTopics(List.of(topic))
              .topicNameValues()
              .get(topic)
              .get(SECONDS, TimeUnit.SECONDS)
              .topicId();
      return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
    } catch (ExecutionException | TimeoutException e) {
      throw new RetriableException("the id of topic " + topic + " can't be asked for", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("stopped while asking for the id of topic " + topic, e);
    }
  }

  /** Does not wait for a broker that does not answer when it is closed. */
  private record Closing(Admin client) implements AutoCloseable {
    static Closing of(Admin client) {
      return new Closing(client);
    }

    @Override
    public void close() {
      client.close(Duration.ofSeconds(1));
    }
  }
}
