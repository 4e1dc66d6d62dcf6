package io.cellmesh.worker.site;

import io.cellmesh.cell.RecordPosition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks which topic the ingest topic is, and whether the brokers answer; to be run again and again.
 * Nothing that a look meets keeps the next one from being run. Thread-safe.
 */
final class TopicLook implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicLook.class);

  private final Supplier<Admin> admin;
  private final String topic;
  private final Executor executor;
  private final Runnable prepare;
  private volatile Optional<String> id = Optional.empty();
  private volatile boolean reachable;
  private volatile boolean closed;

  /**
   * @param admin what it throws fails a look
   * @param executor on which a look goes on once Kafka has answered
   * @param prepare makes ready for a topic that is there, by each look anew; may block, and what it
   *     throws fails the look
   */
  TopicLook(Supplier<Admin> admin, String topic, Executor executor, Runnable prepare) {
    this.admin = admin;
    this.topic = topic;
    this.executor = executor;
    this.prepare = prepare;
  }

  /** The first characters of the topic's id; empty until a look has ended well. */
  Optional<String> id() {
    return id;
  }

  /** Whether the last look ended well. */
  boolean reachable() {
    return reachable;
  }

  /** Complains no more. */
  void close() {
    closed = true;
  }

  @Override
  public void run() {
    try {
      admin
          .get()
          .describeTopics(List.of(topic))
          .allTopicNames()
          .whenComplete((topics, e) -> executor.execute(() -> heard(topics, e)));
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void heard(Map<String, TopicDescription> topics, Throwable e) {
    if (e != null) {
      failed(e);
      return;
    }
    try {
      prepare.run();
    } catch (RuntimeException unprepared) {
      failed(unprepared);
      return;
    }
    var whole = topics.get(topic).topicId().toString();
    id = Optional.of(whole.substring(0, RecordPosition.TOPIC_LENGTH));
    reachable = true;
  }

  private void failed(Throwable e) {
    reachable = false;
    if (!closed) {
      LOG.warn("{}: {}", topic, e.getMessage());
    }
  }
}
