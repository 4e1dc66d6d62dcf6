package io.cellmesh.e2e.worker;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.client.CellmeshClient;
import io.cellmesh.client.CellmeshException;
import io.cellmesh.client.NewCell;
import io.cellmesh.client.ReadFrom;
import io.cellmesh.client.ReadResult;
import io.cellmesh.client.WriteResult;
import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.worker.Ledger.Entry;
import io.cellmesh.e2e.worker.Ledger.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes and reads through the client, at a steady pace for each cluster, so that one that hangs
 * holds up nobody else's. Each answer goes into a {@link Ledger}, and is compared at once with what
 * MySQL itself has.
 */
final class Flow implements AutoCloseable {
  /** Threads of each kind for each cluster. */
  private static final int THREADS = 2;

  private final FaultStack stack;
  private final CellmeshClient client;
  private final Ledger ledger = new Ledger();
  private final Duration pace;
  private final Map<String, List<Written>> visible = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  /** A cell that was told visible, and when. */
  private record Written(CellKey key, long told) {}

  private Flow(FaultStack stack, CellmeshClient client, Duration pace) {
    this.stack = stack;
    this.client = client;
    this.pace = pace;
  }

  /**
   * Begins.
   *
   * @param rate calls a second, of each kind and for each cluster
   */
  static Flow begin(FaultStack stack, CellmeshClient client, int rate) {
    var flow = new Flow(stack, client, Duration.ofNanos(TimeUnit.SECONDS.toNanos(THREADS) / rate));
    for (var cluster : stack.topology().clusters()) {
      flow.visible.put(cluster.name(), new CopyOnWriteArrayList<>());
      for (int i = 0; i < THREADS; i++) {
        var random = new Random(i);
        flow.start("put-" + cluster.name(), look -> flow.put(cluster.name(), look));
        flow.start("get-" + cluster.name(), look -> flow.get(cluster.name(), random));
      }
    }
    return flow;
  }

  Ledger ledger() {
    return ledger;
  }

  /** Lets it flow for a while; returns when that began. */
  long flow(Duration time) throws InterruptedException {
    long begun = System.nanoTime();
    Thread.sleep(time.toMillis());
    return begun;
  }

  @Override
  public void close() {
    end();
  }

  /** Ends it; every call has its answer. */
  void end() {
    stopped = true;
    for (var thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  @FunctionalInterface
  private interface Step {
    void run(OwnLook look) throws InterruptedException, InvalidCellException;
  }

  private void start(String name, Step step) {
    var thread = new Thread(() -> repeat(step), name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void repeat(Step step) {
    try (var look = new OwnLook(stack)) {
      long next = System.nanoTime();
      while (!stopped) {
        step.run(look);
        next = Math.max(next + pace.toNanos(), System.nanoTime());
        LockSupport.parkNanos(next - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (InvalidCellException | RuntimeException e) {
      ledger.lie("the flow ended with " + e);
    }
  }

  private void put(String cluster, OwnLook look) throws InterruptedException, InvalidCellException {
    var key = new CellKey(rowOf(cluster), "BASE", 1);
    long begun = System.nanoTime();
    try {
      var cell =
          NewCell.of(key.rowKey(), key.columnName(), key.refKey(), "{\"n\":%d}".formatted(begun));
      var result = client.session().put(cell);
      note(Kind.PUT, key, cluster, result.getClass().getSimpleName(), "", begun, "");
      check(key, cluster, result, look);
    } catch (CellmeshException e) {
      note(Kind.PUT, key, cluster, Ledger.FAILED, "", begun, e.getMessage());
    }
  }

  /** What is told is true: visible is found, buffered has its copy (or is visible by now). */
  private void check(CellKey key, String cluster, WriteResult result, OwnLook look) {
    try {
      if (result instanceof WriteResult.Visible) {
        if (!look.isVisible(key)) {
          ledger.lie(key + " was told visible and is not there");
        }
        visible.get(cluster).add(new Written(key, System.nanoTime()));
      } else if (result instanceof WriteResult.Buffered buffered) {
        var at = buffered.position().orElseThrow();
        if (!look.hasCopy(cluster, at) && !look.isVisible(key)) {
          ledger.lie(key + " was told buffered and has no copy, at " + at);
        }
      }
    } catch (SQLException e) {
      // The server has gone since; what it has is looked for when it is back.
      note(Kind.PUT, key, cluster, "unchecked", "", System.nanoTime(), e.getMessage());
    }
  }

  private void get(String cluster, Random random) throws InterruptedException {
    var known = visible.get(cluster);
    if (known.isEmpty()) {
      return;
    }
    var written = known.get(known.size() - 1 - random.nextInt(Math.min(20, known.size())));
    var from = ReadFrom.values()[random.nextInt(ReadFrom.values().length)];
    long begun = System.nanoTime();
    try {
      var result = client.session().readingFrom(from).get(written.key());
      boolean found = result.cell().isPresent();
      var told = found ? "found" : "absent";
      note(Kind.GET, written.key(), cluster, told, result.source().server(), begun, "");
      if (!found) {
        judge(written, begun, result);
      }
    } catch (CellmeshException e) {
      note(Kind.GET, written.key(), cluster, Ledger.FAILED, "", begun, e.getMessage());
    }
  }

  /** A cell may be absent only if it became visible within what the answer may lack. */
  private void judge(Written written, long begun, ReadResult result) {
    var age = Duration.ofNanos(begun - written.told());
    if (result.source().staleUpTo().filter(bound -> age.compareTo(bound) > 0).isPresent()) {
      ledger.lie(
          "%s was told visible %s before a read that lacks it: %s"
              .formatted(written.key(), age, result.source()));
    }
  }

  private void note(
      Kind kind, CellKey key, String cluster, String told, String by, long begun, String why) {
    ledger.add(new Entry(kind, key, cluster, told, by, begun, System.nanoTime(), why));
  }

  private UUID rowOf(String cluster) {
    return Rows.of(stack.topology(), cluster);
  }
}
