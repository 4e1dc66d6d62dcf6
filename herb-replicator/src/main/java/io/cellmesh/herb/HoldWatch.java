package io.cellmesh.herb;

import io.cellmesh.cell.LinkHold;
import io.cellmesh.deployment.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final KafkaAccess kafka;
  private final String topic;
  private final Rounds rounds;
  private volatile Map<String, String> values = Map.of();

  /**
   * @param kafka of this data centre
   * @param topic of its places
   */
  HoldWatch(KafkaAccess kafka, String topic) {
    this.kafka = kafka;
    this.topic = topic;
    this.rounds = new Rounds("hold-watch-" + topic, this::follow);
  }

  @Override
  public void start() {
    rounds.start();
  }

  /** What holds the link to a peer, as far as it is known. */
  Optional<LinkHold> of(String peer) {
    return LinkHold.in(values, peer);
  }

  @Override
  public void end() {
    rounds.end();
  }

  @Override
  public boolean awaitEnd(Duration atMost) throws InterruptedException {
    return rounds.awaitEnd(atMost);
  }

  private Duration follow() {
    try (var consumer =
        new KafkaConsumer<>(kafka.reader(), new StringDeserializer(), new StringDeserializer())) {
      var infos = consumer.partitionsFor(topic);
      if (infos == null || infos.isEmpty()) {
        return PAUSE;
      }
      var at = new TopicPartition(topic, 0);
      consumer.assign(List.of(at));
      consumer.seekToBeginning(List.of(at));
      long end = consumer.endOffsets(List.of(at)).get(at);
      var read = new HashMap<String, String>();
      while (!rounds.isEnded()) {
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
    return PAUSE;
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
}
