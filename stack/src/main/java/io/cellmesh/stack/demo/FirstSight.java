package io.cellmesh.stack.demo;

import io.cellmesh.cell.CellKey;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogTail;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Notes when each of the next cells comes out of a log. */
public final class FirstSight implements AutoCloseable {
  private final Map<CellKey, Long> seenAt = new ConcurrentHashMap<>();
  private final CountDownLatch ready = new CountDownLatch(1);
  private final int count;
  private final CountDownLatch any = new CountDownLatch(1);
  private final Thread watcher;
  private volatile boolean stopped;

  private FirstSight(DataCenter datacenter, int count) {
    this.count = count;
    this.watcher = new Thread(() -> watch(datacenter), "log-" + datacenter.name());
    watcher.setDaemon(true);
  }

  /**
   * Returns once it watches.
   *
   * @param count how many cells to note, which bounds the memory that it takes
   */
  public static FirstSight start(DataCenter datacenter, int count) throws InterruptedException {
    var watch = new FirstSight(datacenter, count);
    watch.watcher.start();
    watch.ready.await();
    return watch;
  }

  /** When a cell was seen, as {@link System#nanoTime}; null if it was not yet. */
  Long seenAt(CellKey key) {
    return seenAt.get(key);
  }

  /** When the first cell of all was seen; empty if none comes in time. */
  public Optional<Long> first(Duration timeout) throws InterruptedException {
    return any.await(timeout.toMillis(), TimeUnit.MILLISECONDS)
        ? seenAt.values().stream().min(Comparator.naturalOrder())
        : Optional.empty();
  }

  /** The watcher ends by itself after its next look. */
  @Override
  public void close() {
    stopped = true;
  }

  private void watch(DataCenter datacenter) {
    try (var client = Consumers.open(datacenter.kafka());
        var log = new LogTail(client, datacenter.topology(), LogTail.Filter.ALL)) {
      ready.countDown();
      while (!stopped && seenAt.size() < count) {
        var records = log.poll();
        long now = System.nanoTime();
        records.forEach(record -> seenAt.putIfAbsent(record.cell().key(), now));
        if (!records.isEmpty()) {
          any.countDown();
        }
      }
    } finally {
      ready.countDown();
    }
  }
}
