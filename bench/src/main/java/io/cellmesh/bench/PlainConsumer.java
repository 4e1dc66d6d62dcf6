package io.cellmesh.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The loop that everybody writes first: poll, call, and commit each second what was called with. It
 * fetches with the settings of a trigger.
 */
final class PlainConsumer implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final long COMMIT_NANOS = 1_000_000_000;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Consumer<ConsumerRecord<byte[], byte[]>> callback;
  private final Thread thread;

  private PlainConsumer(
      KafkaConsumer<byte[], byte[]> consumer, Consumer<ConsumerRecord<byte[], byte[]>> callback) {
    this.consumer = consumer;
    this.callback = callback;
    this.thread = new Thread(this::run, "plain-consumer");
  }

  /**
   * Starts it in a thread of its own.
   *
   * @param reset where a group begins that has no offsets: earliest, latest
   */
  static PlainConsumer start(
      String bootstrap,
      String group,
      String reset,
      Consumer<ConsumerRecord<byte[], byte[]>> callback) {
    var started = new PlainConsumer(open(bootstrap, group, reset), callback);
    started.thread.start();
    return started;
  }

  /** A consumer that fetches as a trigger's does. The caller closes it. */
  static KafkaConsumer<byte[], byte[]> open(String bootstrap, String group, String reset) {
    var config = new HashMap<String, Object>();
    config.put("bootstrap.servers", bootstrap);
    config.put("group.id", group);
    config.put("auto.offset.reset", reset);
    config.put("enable.auto.commit", false);
    config.put("isolation.level", "read_committed");
    config.put("max.partition.fetch.bytes", 5 << 20);
    config.put("max.poll.records", 2_000);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private void run() {
    long committed = System.nanoTime();
    try {
      consumer.subscribe(List.of(CallbackServers.TOPICS.log()));
      while (true) {
        consumer.poll(POLL).forEach(callback);
        if (System.nanoTime() - committed > COMMIT_NANOS) {
          consumer.commitAsync();
          committed = System.nanoTime();
        }
      }
    } catch (WakeupException e) {
      // Somebody closes it.
    } finally {
      consumer.close();
    }
  }

  @Override
  public void close() {
    consumer.wakeup();
    Pause.untilEnded(thread);
  }
}
