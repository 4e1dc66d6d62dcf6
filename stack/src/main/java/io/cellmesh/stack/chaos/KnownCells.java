package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * A steady flow of cells into an instance's topic, over rows of its own in every shard. The cells
 * of a row have the ref_keys 1, 2, 3 …, so that a gap, a loss and a wrong order can be told by
 * looking at the row.
 */
public final class KnownCells implements AutoCloseable {
  private static final int ROWS_PER_SHARD = 4;
  private static final Duration TICK = Duration.ofMillis(20);
  private static final String PADDING = "seldom the same, often alike; ".repeat(5);

  private final Listener listener;
  private final Load how;
  private final int conflictEvery;
  private final List<UUID> rows;
  private final long[] sent;
  private final Map<UUID, Long> acknowledged = new HashMap<>();
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong conflicts = new AtomicLong();
  private final CellFlow flow;
  private final long startedAt = System.nanoTime();
  private long stoppedAt;
  private volatile boolean paused;
  private long ticks;
  private long turn;

  private KnownCells(
      String bootstrap, Topology topology, Load how, int conflictEvery, long seed, Listener told) {
    this.listener = told;
    this.how = how;
    this.conflictEvery = conflictEvery;
    this.rows = rows(topology.shards(), new Random(seed));
    this.sent = new long[rows.size()];
    this.flow = new CellFlow(bootstrap, topology, how.linger());
  }

  /** Told of cells as Kafka acknowledges them, on the producer's thread. */
  @FunctionalInterface
  public interface Listener {
    /** One of them; the one that comes again is not told of. */
    void acknowledged(UUID row, long ref, RecordMetadata place);
  }

  /**
   * Begins to produce.
   *
   * @param conflictEvery after how many cells one comes again with another body; 0 for never
   * @param seed of the row keys
   */
  public static KnownCells start(
      String bootstrap, Topology topology, Load how, int conflictEvery, long seed, Listener told) {
    var load = new KnownCells(bootstrap, topology, how, conflictEvery, seed, told);
    load.flow.start(TICK, load::tick);
    return load;
  }

  /** Produces nothing until {@link #resume}, nor what would have come meanwhile after it. */
  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
  }

  /** Cells that Kafka has acknowledged so far. */
  public long acknowledged() {
    return count.get();
  }

  /** The highest acknowledged ref_key of each row. To be asked for after {@link #stop}. */
  public synchronized Map<UUID, Long> lastOfEachRow() {
    return Map.copyOf(acknowledged);
  }

  /** Cells that came again with another body, as far as Kafka has acknowledged them. */
  public long conflicts() {
    return conflicts.get();
  }

  /** Acknowledged cells a second, from the start to {@link #stop} or, before that, to now. */
  public double rate() {
    long end = stoppedAt == 0 ? System.nanoTime() : stoppedAt;
    return count.get() / ((end - startedAt) / 1e9);
  }

  /**
   * Looks whether all went well so far.
   *
   * @throws IllegalStateException if a cell was not acknowledged
   */
  void check() {
    flow.check();
  }

  /**
   * Produces no more; returns when all is acknowledged.
   *
   * @throws IllegalStateException if a cell was not
   */
  public void stop() {
    flow.stop();
    stoppedAt = System.nanoTime();
  }

  @Override
  public void close() {
    flow.close();
  }

  private void tick() {
    if (paused) {
      return;
    }
    long due = how.due(TICK.multipliedBy(++ticks));
    while (turn < due) {
      send((int) (turn++ % rows.size()));
    }
  }

  private void send(int number) {
    var row = rows.get(number);
    long ref = ++sent[number];
    send(row, ref, ref, place -> acknowledged(row, ref, place));
    if (conflictEvery > 0 && turn % conflictEvery == 0) {
      send(row, ref, -ref, place -> conflicts.incrementAndGet());
    }
  }

  private void send(UUID row, long ref, long content, Consumer<RecordMetadata> acknowledged) {
    var json =
        "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":%d,\"body\":{\"ref\":%d,\"owner\":\"%s\",\"text\":\"%s\"}}"
            .formatted(row, ref, content, ChaosIndex.owner(content), PADDING);
    flow.send(row, json, acknowledged);
  }

  private void acknowledged(UUID row, long ref, RecordMetadata place) {
    synchronized (this) {
      acknowledged.merge(row, ref, Math::max);
    }
    count.incrementAndGet();
    listener.acknowledged(row, ref, place);
  }

  private static List<UUID> rows(Shards shards, Random random) {
    var counts = new int[shards.count()];
    var rows = new ArrayList<UUID>();
    while (rows.size() < shards.count() * ROWS_PER_SHARD) {
      var row = new UUID(random.nextLong(), random.nextLong());
      int shard = shards.of(row);
      if (counts[shard] < ROWS_PER_SHARD) {
        counts[shard]++;
        rows.add(row);
      }
    }
    return rows;
  }
}
