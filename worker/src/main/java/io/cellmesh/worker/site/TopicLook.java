package io.cellmesh.worker.site;

import io.cellmesh.cell.RecordPosition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private volatile Optional<String> id = Optional.empty();
  private volatile boolean reachable;
  private volatile boolean closed;

  /**
   * @param admin what it throws fails a look
   */
  TopicLook(Supplier<Admin> admin, String topic) {
    this.admin = admin;
    this.topic = topic;
  }

  /** The first characters of the topic's id; empty while it is not known. */
  Optional<String> id() {
    return id;
  }

  /** Whether the brokers answered when they were last asked. */
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
      admin.get().describeTopics(List.of(topic)).allTopicNames().whenComplete(this::heard);
    } catch (RuntimeException e) {
      heard(Map.of(), e);
    }
  }

  private void heard(Map<String, TopicDescription> topics, Throwable e) {
    reachable = e == null;
    if (e == null) {
      var whole = topics.get(topic).topicId().toString();
      id = Optional.of(whole.substring(0, RecordPosition.TOPIC_LENGTH));
    } else if (!closed) {
      LOG.warn("{}: {}", topic, e.getMessage());
    }
  }
}
