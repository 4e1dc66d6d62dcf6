package io.cellmesh.bench;

import io.cellmesh.devstack.DevStackException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;

/** A plain consumer that notes when it has which cell. */
final class LiveReader implements AutoCloseable {
  private final LogSource source;
  private final Map<UUID, Integer> places = new HashMap<>();
  private final long[] seen;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final CountDownLatch missing;
  private final Thread thread;
  private volatile KafkaException failure;
  private volatile boolean closing;

  private LiveReader(LogSource source, List<EntityRow> rows) {
    this.source = source;
    this.seen = new long[rows.size()];
    this.missing = new CountDownLatch(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      places.put(rows.get(i).rowKey(), i);
    }
    this.consumer = LogTopic.consumer(source.servers().broker());
    this.thread = new Thread(this::run, "bench-log-reader");
    thread.setDaemon(true);
  }

  /** Returns when the consumer stands at the end of the log. */
  static LiveReader start(LogSource source, List<EntityRow> rows) {
    var reader = new LiveReader(source, rows);
    var partitions = source.log().partitions();
    reader.consumer.assign(partitions);
    reader.consumer.seekToEnd(partitions);
    partitions.forEach(reader.consumer::position);
    reader.thread.start();
    return reader;
  }

  /**
   * Waits for all cells.
   *
   * @return by cell, the moment that the consumer had it, in nanoTime
   */
  long[] await(Duration patience) throws InterruptedException {
    boolean complete = missing.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    if (failure != null) {
      throw new DevStackException(source.name() + ": the log could not be read", failure);
    }
    if (!complete) {
      throw new DevStackException(
          "%s: %,d of %,d cells had not come %d s after the last commit"
              .formatted(source.name(), missing.getCount(), seen.length, patience.toSeconds()));
    }
    return seen;
  }

  @Override
  public void close() {
    closing = true;
    Pause.untilEnded(thread);
    consumer.close();
  }

  private void run() {
    try {
      while (!closing) {
        var records = consumer.poll(Duration.ofMillis(200));
        long now = System.nanoTime();
        for (var record : records) {
          note(places.get(source.rowKey().apply(record.key())), now);
        }
      }
    } catch (KafkaException e) {
      failure = e;
    }
  }

  /** A cell of an earlier measurement has no place. */
  private void note(Integer place, long now) {
    if (place != null && seen[place] == 0) {
      seen[place] = now;
      missing.countDown();
    }
  }
}
