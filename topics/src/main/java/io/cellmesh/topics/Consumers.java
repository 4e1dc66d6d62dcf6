package io.cellmesh.topics;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Clients with the settings that all commands share. */
public final class Consumers {
  /** One record of the largest size has to fit. */
  private static final int FETCH = 5 << 20;

  /** A broker that is gone shall be said to be gone while a person still waits. */
  private static final int TIMEOUT_MS = 15_000;

  /** A fetch that waits for more at the end of one partition would hold up the next partition's. */
  private static final int FETCH_WAIT_MS = 20;

  private Consumers() {}

  /** A consumer of committed records that belongs to no group. */
  public static KafkaConsumer<byte[], byte[]> open(KafkaAccess kafka) {
    return open(kafka, Map.of());
  }

  /**
   * The same for whoever reads on for long: brokers answer once in such a time with what has come
   * by then, instead of once for each record.
   *
   * @param wait as long as a record may wait, above 0
   */
  public static KafkaConsumer<byte[], byte[]> follow(KafkaAccess kafka, Duration wait) {
    return open(kafka, following(wait));
  }

  /**
   * The same for whoever also asks how far a group has come: {@link KafkaConsumer#committed} knows
   * who coordinates it, which an {@link Admin} finds out each time. It takes no part in the group.
   */
  public static KafkaConsumer<byte[], byte[]> follow(
      KafkaAccess kafka, Duration wait, String group) {
    var settings = following(wait);
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    return open(kafka, settings);
  }

  private static Map<String, Object> following(Duration wait) {
    var settings = new HashMap<String, Object>();
    settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, FETCH);
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, Math.toIntExact(wait.toMillis()));
    return settings;
  }

  private static KafkaConsumer<byte[], byte[]> open(
      KafkaAccess kafka, Map<String, Object> settings) {
    var config = kafka.client();
    config.put(ConsumerConfig.CLIENT_ID_CONFIG, "cellmesh-cli");
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH);
    config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MS);
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000);
    config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    config.putAll(settings);
    return made(kafka, () -> new NamingConsumer(kafka, config));
  }

  /** Says which right is missing. */
  private static final class NamingConsumer extends KafkaConsumer<byte[], byte[]> {
    private final KafkaAccess kafka;

    NamingConsumer(KafkaAccess kafka, Map<String, Object> config) {
      super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      this.kafka = kafka;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      return naming("Read", () -> super.poll(timeout));
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
      return naming("Describe", () -> super.partitionsFor(topic));
    }

    private <T> T naming(String operation, Supplier<T> asked) {
      try {
        return asked.get();
      } catch (AuthorizationException e) {
        throw MissingRightException.of(kafka, operation, e);
      }
    }
  }

  /** That a client could not be made Kafka says, and only in its cause why. */
  private static <T> T made(KafkaAccess kafka, Supplier<T> client) {
    try {
      return client.get();
    } catch (KafkaException e) {
      if (e.getCause() == null) {
        throw e;
      }
      throw new KafkaException(
          "%s can't be asked: %s".formatted(kafka, e.getCause().getMessage()), e);
    }
  }

  public static Admin admin(KafkaAccess kafka) {
    var config = kafka.client();
    config.put(AdminClientConfig.CLIENT_ID_CONFIG, "cellmesh-cli");
    config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    return made(kafka, () -> Admin.create(config));
  }
}
