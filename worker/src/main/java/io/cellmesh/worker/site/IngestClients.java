package io.cellmesh.worker.site;

import io.cellmesh.topics.IngestProducer;
import io.cellmesh.worker.load.UnavailableException;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * The clients that an ingest topic is written and looked at with. While no broker's name can be
 * resolved Kafka makes none, so they may be opened later. Thread-safe.
 */
final class IngestClients implements AutoCloseable {
  private static final Duration CLOSE = Duration.ofSeconds(1);

  private final Supplier<Admin> admins;
  private final Supplier<IngestProducer> producers;
  private volatile Opened opened;
  private volatile boolean closed;

  private record Opened(Admin admin, IngestProducer producer) {
    /** May be done again. */
    void close() {
      try {
        producer.close();
      } finally {
        admin.close(CLOSE);
      }
    }
  }

  /** Takes what makes each of them; what that throws {@link #open} does. */
  IngestClients(Supplier<Admin> admins, Supplier<IngestProducer> producers) {
    this.admins = admins;
    this.producers = producers;
  }

  /**
   * Opens them, unless they are open; may take as long as names take to be resolved.
   *
   * @throws KafkaException if they can't be opened
   */
  synchronized void open() {
    if (opened != null || closed) {
      return;
    }
    var admin = admins.get();
    boolean done = false;
    try {
      opened = new Opened(admin, producers.get());
      done = true;
    } finally {
      if (!done) {
        admin.close(Duration.ZERO);
      }
    }
    if (closed) {
      // Meanwhile, without waiting for this.
      opened.close();
    }
  }

  /**
   * @throws UnavailableException if they are not open yet
   */
  Admin admin() {
    return opened().admin;
  }

  /**
   * @throws UnavailableException if they are not open yet
   */
  IngestProducer producer() {
    return opened().producer;
  }

  /** Closes them; whoever is just opening them does so when they are open. */
  @Override
  public void close() {
    closed = true;
    var now = opened;
    if (now != null) {
      now.close();
    }
  }

  private Opened opened() {
    var now = opened;
    if (now == null) {
      throw new UnavailableException("no broker's name could be resolved yet");
    }
    return now;
  }
}
