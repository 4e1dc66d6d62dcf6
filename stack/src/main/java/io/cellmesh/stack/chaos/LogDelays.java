package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogTail;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** Reads the log as it grows, and knows how long cells take to come out of it. */
final class LogDelays implements AutoCloseable {
  private final KafkaAccess kafka;
  private final Topology topology;
  private final Awaited cells = new Awaited();

  /** Which data centre a row's cells are produced in. */
  private final Map<UUID, String> origins = new ConcurrentHashMap<>();

  private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
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

  /**
   * A cell that was expected.
   *
   * @param at when it came, by {@link System#nanoTime}
   */
  record Arrival(String origin, long at, Duration delay) {}

  /** A cell was acknowledged just now, at its origin: its delay counts from here. */
  void expect(String origin, UUID row, long ref) {
    origins.putIfAbsent(row, origin);
    cells.expect(row, ref);
  }

  /** Those of some origins that came between two moments. */
  Stream<Arrival> between(Set<String> from, long begin, long end) {
    return arrivals.stream()
        .filter(one -> from.contains(one.origin))
        .filter(one -> one.at >= begin && one.at < end);
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

  private void note(UUID row, Duration delay) {
    arrivals.add(new Arrival(origins.get(row), System.nanoTime(), delay));
  }

  private void run() {
    try (var client = Consumers.open(kafka);
        var log = new LogTail(client, topology, LogTail.Filter.ALL)) {
      while (!stopped) {
        for (var record : log.poll()) {
          var key = record.cell().key();
          cells.arrived(key.rowKey(), key.refKey()).ifPresent(delay -> note(key.rowKey(), delay));
        }
      }
    } catch (RuntimeException e) {
      synchronized (this) {
        failure = e;
      }
    }
  }
}
