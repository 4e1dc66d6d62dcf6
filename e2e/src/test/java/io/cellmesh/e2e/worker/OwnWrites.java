package io.cellmesh.e2e.worker;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.client.CellmeshClient;
import io.cellmesh.client.CellmeshException;
import io.cellmesh.client.NewCell;
import io.cellmesh.client.ReadFrom;
import io.cellmesh.client.ReadResult;
import io.cellmesh.client.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Many who each write a cell through one worker, drawn at random, and read it through another, by
 * the position that the first was told.
 */
final class OwnWrites implements AutoCloseable {
  /** So many that those who wait for a lost master keep nobody else from beginning. */
  private static final int THREADS = 64;

  private final List<CellmeshClient> workers;
  private final int rate;
  private final int most;
  private final AtomicInteger begun = new AtomicInteger();
  private final Queue<Read> reads = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * What became of one pair.
   *
   * @param told how the write was answered; {@code failed} if it was not
   * @param positions of the write; empty if it failed
   * @param found {@code found}, {@code absent}, or why there was no answer
   * @param by the server that answered
   */
  record Read(
      CellKey key,
      String told,
      String positions,
      String found,
      String by,
      Duration write,
      Duration read) {
    boolean isStale() {
      return found.equals("absent") && !told.equals("Conflict") && !told.equals("Rejected");
    }

    boolean isAnswered() {
      return found.equals("found") || found.equals("absent");
    }
  }

  private OwnWrites(List<CellmeshClient> workers, int rate, int most) {
    this.workers = workers;
    this.rate = rate;
    this.most = most;
  }

  /**
   * Begins.
   *
   * @param workers a client for each
   * @param rate pairs a second
   * @param most pairs in all
   */
  static OwnWrites begin(List<CellmeshClient> workers, int rate, int most) {
    var writes = new OwnWrites(workers, rate, most);
    for (int i = 0; i < THREADS; i++) {
      var thread = new Thread(writes::run, "own-writes-" + i);
      thread.setDaemon(true);
      writes.threads.add(thread);
      thread.start();
    }
    return writes;
  }

  /** The pairs that are done. */
  List<Read> soFar() {
    return List.copyOf(reads);
  }

  /** Waits until all pairs are done; what became of each. */
  List<Read> await() throws InterruptedException {
    for (var thread : threads) {
      thread.join();
    }
    return List.copyOf(reads);
  }

  @Override
  public void close() {
    end();
  }

  /** Begins no more. */
  void end() {
    begun.set(most);
  }

  /** What was told and found, how often. */
  static String counts(List<Read> reads) {
    Map<String, Long> counts =
        reads.stream()
            .collect(
                Collectors.groupingBy(
                    read ->
                        "%s, %s"
                            .formatted(
                                read.told(),
                                read.isAnswered()
                                    ? read.found() + " by a " + role(read)
                                    : "no answer"),
                    TreeMap::new,
                    Collectors.counting()));
    return counts.toString();
  }

  static boolean byMinion(Read read) {
    return role(read).equals("minion");
  }

  private static String role(Read read) {
    return read.by().isEmpty() ? "nobody" : read.by().split("/")[1];
  }

  private void run() {
    try {
      long pace = TimeUnit.SECONDS.toNanos(THREADS) / rate;
      long next = System.nanoTime() + ThreadLocalRandom.current().nextLong(pace);
      while (begun.getAndIncrement() < most) {
        LockSupport.parkNanos(next - System.nanoTime());
        reads.add(pair());
        next = Math.max(next + pace, System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (InvalidCellException e) {
      throw new IllegalStateException(e);
    }
  }

  private Read pair() throws InterruptedException, InvalidCellException {
    var key = new CellKey(UUID.randomUUID(), "BASE", 1);
    var session = drawn().session();
    long begunAt = System.nanoTime();
    var told = "failed";
    try {
      WriteResult result =
          session.put(NewCell.of(key.rowKey(), key.columnName(), key.refKey(), "{\"n\":1}"));
      told = result.getClass().getSimpleName();
    } catch (CellmeshException e) {
      return new Read(key, told, "", e.getMessage(), "", since(begunAt), Duration.ZERO);
    }
    var write = since(begunAt);
    var positions = session.positions();
    begunAt = System.nanoTime();
    try {
      var read = read(drawn(), key, positions);
      var found = read.cell().isPresent() ? "found" : "absent";
      return new Read(key, told, positions, found, read.source().server(), write, since(begunAt));
    } catch (CellmeshException e) {
      return new Read(key, told, positions, e.getMessage(), "", write, since(begunAt));
    }
  }

  static ReadResult read(CellmeshClient worker, CellKey key, String positions)
      throws InterruptedException {
    return worker.session(positions).readingFrom(ReadFrom.ANY).get(key);
  }

  private CellmeshClient drawn() {
    return workers.get(ThreadLocalRandom.current().nextInt(workers.size()));
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }
}
