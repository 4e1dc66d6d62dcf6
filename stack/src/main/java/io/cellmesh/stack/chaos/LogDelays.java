package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogTail;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Reads the log as it grows, and knows how long cells take to come out of it. */
final class LogDelays implements AutoCloseable {
  private final KafkaAccess kafka;
  private final Topology topology;
  private final Map<Expected, Long> expected = new LinkedHashMap<>();

  /** The highest ref_key of each row that came; a producer may learn later than the log. */
  private final Map<UUID, Long> came = new HashMap<>();

  private final Thread thread = new Thread(this::run, "chaos-log");
  private long longest;
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

  private record Expected(UUID row, long ref) {}

  /** A cell was acknowledged just now: its delay counts from here. */
  synchronized void expect(UUID row, long ref) {
    if (came.getOrDefault(row, 0L) < ref) {
      expected.put(new Expected(row, ref), System.nanoTime());
    }
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
    return expected.values().stream()
        .findFirst()
        .map(since -> Duration.ofNanos(System.nanoTime() - since))
        .orElse(Duration.ZERO);
  }

  /** The longest delay so far. */
  synchronized Duration longest() {
    return Duration.ofNanos(longest);
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
        var records = log.poll();
        long now = System.nanoTime();
        synchronized (this) {
          for (var record : records) {
            var key = record.cell().key();
            arrived(new Expected(key.rowKey(), key.refKey()), now);
          }
        }
      }
    } catch (RuntimeException e) {
      synchronized (this) {
        failure = e;
      }
    }
  }

  private void arrived(Expected cell, long now) {
    came.merge(cell.row, cell.ref, Math::max);
    var since = expected.remove(cell);
    if (since != null) {
      longest = Math.max(longest, now - since);
    }
  }
}
