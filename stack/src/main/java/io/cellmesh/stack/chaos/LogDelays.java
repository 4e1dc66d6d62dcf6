package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogTail;
import java.time.Duration;
import java.util.UUID;

/** Reads the log as it grows, and knows how long cells take to come out of it. */
final class LogDelays implements AutoCloseable {
  private final KafkaAccess kafka;
  private final Topology topology;
  private final Awaited cells = new Awaited();
  private final Thread thread = new Thread(this::run, "chaos-log");
  private RuntimeException failure;
  private volatile boolean stopped;

  private LogDelays(KafkaAccess kafka, Topology topology) {
    this.kafka = kafka;
    this.topology = topology;
  }

  static LogDelays start(KafkaAccess kafka, Topology topology) {
    var watch = new LogDelays(kafka, topology);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  /** A cell was acknowledged just now: its delay counts from here. */
  void expect(UUID row, long ref) {
    cells.expect(row, ref);
  }

  /**
   * How long the oldest expected cell has been waited for; zero if none is.
   *
   * @throws IllegalStateException if the log can't be read any more
   */
  synchronized Duration oldest() {
    if (failure != null) {
      throw new IllegalStateException("the log is not read any more", failure);
    }
    return cells.oldest();
  }

  /** The longest delay so far. */
  Duration longest() {
    return cells.longest();
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join(Duration.ofSeconds(10).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try (var client = Consumers.open(kafka);
        var log = new LogTail(client, topology, LogTail.Filter.ALL)) {
      while (!stopped) {
        for (var record : log.poll()) {
          var key = record.cell().key();
          cells.arrived(key.rowKey(), key.refKey());
        }
      }
    } catch (RuntimeException e) {
      synchronized (this) {
        failure = e;
      }
    }
  }
}
