package io.cellmesh.herb;

import io.cellmesh.cell.LinkHold;
import io.cellmesh.deployment.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the topic of the places, so that a link that runs learns within a second that somebody
 * holds it. While Kafka does not answer, what was known last counts; a link that starts reads the
 * topic itself.
 */
final class HoldWatch implements Part {
  private static final Logger LOG = LoggerFactory.getLogger(HoldWatch.class);

  /** What was asked for with a turn is taken in with the next one. */
  private static final Duration REST = Duration.ofMillis(500);

  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final KafkaAccess kafka;
  private final String topic;
  private final SharedTurns turns;
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile Map<String, String> values = Map.of();
  private volatile boolean ended;

  /** What is being read; for whoever has the turn. */
  private Optional<Following> following = Optional.empty();

  /**
   * @param kafka of this data centre
   * @param topic of its places
   * @param turns in which it reads
   */
  HoldWatch(KafkaAccess kafka, String topic, SharedTurns turns) {
    this.kafka = kafka;
    this.topic = topic;
    this.turns = turns;
  }

  @Override
  public void start() {
    turns.now(this::turn);
  }

  /** What holds the link to a peer, as far as it is known. */
  Optional<LinkHold> of(String peer) {
    return LinkHold.in(values, peer);
  }

  @Override
  public void end() {
    ended = true;
    turns.now(this::turn);
  }

  @Override
  public boolean awaitEnd(Duration atMost) throws InterruptedException {
    return done.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }

  private synchronized void turn() {
    if (done.getCount() == 0) {
      return;
    }
    if (ended) {
      close();
      done.countDown();
      return;
    }
    var rest = follow();
    // Whoever told it to end has asked for a turn.
    if (!ended) {
      turns.after(rest, this::turn);
    }
  }

  private Duration follow() {
    try {
      if (following.isEmpty()) {
        following = Following.of(kafka, topic);
      }
      following.flatMap(Following::read).ifPresent(read -> values = read);
      return following.isEmpty() ? PAUSE : REST;
    } catch (RuntimeException | Error e) {
      LOG.debug("Whether links are held is not known anew for a moment", e);
      close();
      return PAUSE;
    }
  }

  private void close() {
    try {
      following.ifPresent(open -> open.consumer.close());
    } catch (RuntimeException e) {
      LOG.debug("{} was not closed", topic, e);
    }
    following = Optional.empty();
  }

  /** The topic as it was read so far, from its beginning. */
  private static final class Following {
    private final KafkaConsumer<String, String> consumer;
    private final TopicPartition at;
    private final long end;
    private final Map<String, String> values = new HashMap<>();

    private Following(KafkaConsumer<String, String> consumer, TopicPartition at) {
      this.consumer = consumer;
      this.at = at;
      consumer.assign(List.of(at));
      consumer.seekToBeginning(List.of(at));
      this.end = consumer.endOffsets(List.of(at)).get(at);
    }

    /** Begins to read it; empty where there is no such topic yet. */
    static Optional<Following> of(KafkaAccess kafka, String topic) {
      try (var opened = new Opened()) {
        var consumer =
            opened.add(
                new KafkaConsumer<>(
                    kafka.reader(), new StringDeserializer(), new StringDeserializer()));
        var infos = consumer.partitionsFor(topic);
        if (infos == null || infos.isEmpty()) {
          return Optional.empty();
        }
        var begun = new Following(consumer, new TopicPartition(topic, 0));
        opened.handedOver();
        return Optional.of(begun);
      }
    }

    /** Takes in what has come; empty while not all is read that was there. */
    Optional<Map<String, String>> read() {
      for (var record : consumer.poll(Duration.ZERO)) {
        note(record.key(), record.value());
      }
      return consumer.position(at) >= end ? Optional.of(Map.copyOf(values)) : Optional.empty();
    }

    private void note(String key, String value) {
      if (key == null || !LinkHold.isKey(key)) {
        return;
      }
      if (value == null) {
        values.remove(key);
      } else {
        values.put(key, value);
      }
    }
  }
}
