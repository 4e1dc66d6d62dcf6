package io.cellmesh.e2e.log;

import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Reads an instance's log from its beginning and for as long as it is open, and remembers when each
 * cell came. Its methods may be called by any thread.
 */
final class LogMonitor implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration LOOK = Duration.ofMillis(5);

  private final Topology topology;
  private final KafkaConsumer<byte[], byte[]> client;
  private final List<TopicPartition> partitions;
  private final LogContents contents = new LogContents();
  private final Map<String, List<Arrival>> arrivals = new HashMap<>();
  private final Map<String, Long> repeated = new HashMap<>();
  private final Thread thread;
  private volatile RuntimeException failure;
  private long read;

  /**
   * @param created by MySQL's clock, which is this machine's
   * @param at by {@link System#nanoTime}
   */
  private record Arrival(Instant created, long at) {}

  private LogMonitor(FaultStack stack, Topology topology) {
    this.topology = topology;
    this.client = Consumers.open(KafkaAccess.plain(stack.bootstrap()));
    this.partitions =
        IntStream.range(0, topology.shards().partitions())
            .mapToObj(partition -> new TopicPartition(topology.topics().log(), partition))
            .toList();
    client.assign(partitions);
    client.seekToBeginning(partitions);
    this.thread = new Thread(this::run, "log-monitor");
  }

  static LogMonitor of(FaultStack stack, Topology topology) {
    var monitor = new LogMonitor(stack, topology);
    monitor.thread.start();
    return monitor;
  }

  /**
   * When the first cell came that a cluster stored after a moment: one that was on its way by then
   * does not count.
   *
   * @return by {@link System#nanoTime}
   */
  long firstStoredAfter(String cluster, Instant moment, Duration patience) {
    return await("a cell that " + cluster + " stored after " + moment)
        .atMost(patience)
        .pollInterval(LOOK)
        .until(() -> arrival(cluster, moment), at -> at != 0);
  }

  /** Waits until everything was read that the log has now. */
  void catchUp(FaultStack stack) {
    long records;
    try (var other = Consumers.open(KafkaAccess.plain(stack.bootstrap()))) {
      records =
          TopicOffsets.of(other, topology.topics().log()).end().stream().mapToLong(e -> e).sum();
    }
    await("the log read").atMost(Duration.ofSeconds(60)).until(() -> position() >= records);
  }

  /** Every cell once, where it came first. To be asked for when nothing is under way. */
  Shardwise first() {
    return contents.first();
  }

  /** How many records came again, by the cluster that they are from. */
  synchronized Map<String, Long> repeated() {
    return Map.copyOf(repeated);
  }

  @Override
  public void close() {
    client.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try (client;
        contents) {
      while (true) {
        var records = client.poll(POLL);
        long now = System.nanoTime();
        synchronized (this) {
          for (var record : records) {
            add(contents.add(record), now);
          }
          read = partitions.stream().mapToLong(client::position).sum();
        }
      }
    } catch (WakeupException e) {
      // It was closed.
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private void add(LogContents.Added added, long now) {
    var cluster = topology.clusterOf(added.log().shard()).name();
    if (added.isFirst()) {
      arrivals
          .computeIfAbsent(cluster, name -> new ArrayList<>())
          .add(new Arrival(added.log().createdAt(), now));
    } else {
      repeated.merge(cluster, 1L, Long::sum);
    }
  }

  private synchronized long position() {
    if (failure != null) {
      throw failure;
    }
    return read;
  }

  /** 0 as long as there is none. */
  private synchronized long arrival(String cluster, Instant moment) {
    if (failure != null) {
      throw failure;
    }
    var all = arrivals.getOrDefault(cluster, List.of());
    long earliest = 0;
    // The newest are at the end, and what is older than the moment by far needs no look.
    for (int i = all.size() - 1; i >= 0; i--) {
      var arrival = all.get(i);
      if (arrival.created.isAfter(moment)) {
        earliest = arrival.at;
      } else if (arrival.created.isBefore(moment.minusSeconds(5))) {
        break;
      }
    }
    return earliest;
  }
}
