package io.cellmesh.herb;

import io.cellmesh.cell.LinkHold;
import io.cellmesh.deployment.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the topic of the places on a thread of its own, so that a link that runs learns within a
 * second that somebody holds it. While Kafka does not answer, what was known last counts; a link
 * that starts reads the topic itself.
 */
final class HoldWatch implements Part {
  private static final Logger LOG = LoggerFactory.getLogger(HoldWatch.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final long PAUSE_SECONDS = 2;
  private static final int FETCH = 1 << 20;

  private final KafkaAccess kafka;
  private final String topic;
  private final Thread thread;
  private volatile Map<String, String> values = Map.of();
  private volatile boolean closed;

  /**
   * @param kafka of this data centre
   * @param topic of its places
   */
  HoldWatch(KafkaAccess kafka, String topic) {
    this.kafka = kafka;
    this.topic = topic;
    this.thread = new Thread(this::live, "hold-watch-" + topic);
    thread.setDaemon(true);
  }

  @Override
  public void start() {
    thread.start();
  }

  /** What holds the link to a peer, as far as it is known. */
  Optional<LinkHold> of(String peer) {
    return LinkHold.in(values, peer);
  }

  @Override
  public void end() {
    closed = true;
    thread.interrupt();
  }

  @Override
  public boolean awaitEnd(Duration atMost) throws InterruptedException {
    // To join for 0 ms is to wait for ever.
    thread.join(Math.max(1, atMost.toMillis()));
    return !thread.isAlive();
  }

  private void live() {
    while (!closed) {
      try {
        follow();
        TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
      } catch (InterruptedException | InterruptException e) {
        closed = true;
      }
    }
  }

  private void follow() {
    try (var consumer =
        new KafkaConsumer<>(settings(), new StringDeserializer(), new StringDeserializer())) {
      var infos = consumer.partitionsFor(topic);
      if (infos == null || infos.isEmpty()) {
        return;
      }
      var at = new TopicPartition(topic, 0);
      consumer.assign(List.of(at));
      consumer.seekToBeginning(List.of(at));
      long end = consumer.endOffsets(List.of(at)).get(at);
      var read = new HashMap<String, String>();
      while (!closed) {
        for (var record : consumer.poll(POLL)) {
          note(read, record.key(), record.value());
        }
        if (consumer.position(at) >= end) {
          values = Map.copyOf(read);
        }
      }
    } catch (InterruptException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.debug("Whether links are held is not known anew for a moment", e);
    }
  }

  private static void note(Map<String, String> read, String key, String value) {
    if (key == null || !LinkHold.isKey(key)) {
      return;
    }
    if (value == null) {
      read.remove(key);
    } else {
      read.put(key, value);
    }
  }

  private Map<String, Object> settings() {
    var settings = LinkSettings.client(kafka);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, KafkaAnswer.TIMEOUT_MS);
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH);
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    return settings;
  }
}
