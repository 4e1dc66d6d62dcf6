package io.cellmesh.worker.position;

import io.cellmesh.worker.position.WaitingWrites.Ended;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at one storage cluster for all who wait for a cell of it: at its positions at most once in
 * {@value #EVERY_MILLIS} ms, and more seldom the longer all of them have waited, at rows as soon as
 * their records are seen to be passed, and not at all while nobody waits. A cluster that hangs
 * holds up its own watch alone, and deadlines are kept meanwhile. Thread-safe.
 */
public final class PositionWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PositionWatch.class);

  /** From the beginning of a look to that of the next. */
  static final int EVERY_MILLIS = 2;

  /** The same, where nobody has come for long. */
  static final int EVERY_MILLIS_AT_MOST = 50;

  /** Nobody who has waited for so many parts of a time minds one more. */
  private static final int PARTS = 8;

  /** The same while the master is away, which nobody brings back by asking. */
  static final int EVERY_MILLIS_OF_AN_OUTAGE = 100;

  /** A statement with more rows than these would take longer than it saves. */
  private static final int MOST_KEYS = 500;

  private final String cluster;
  private final Inquiry inquiry;
  private final LongSupplier nanos;
  private final ScheduledExecutorService deadlines;
  private final Executor answers;
  private final Thread thread;
  private final AtomicLong looks = new AtomicLong();

  /** Guards what follows. */
  private final Object lock = new Object();

  private final WaitingWrites waiting = new WaitingWrites(MOST_KEYS);
  private final Map<PendingWrite, CompletableFuture<Outcome>> futures = new IdentityHashMap<>();
  private boolean closed;

  /** When somebody last began to wait, by the clock. */
  private volatile long lastCame;

  /** Of the last look; only the watch's own thread has to do with it. */
  private boolean outage;

  /**
   * Starts to watch.
   *
   * @param nanos the clock that deadlines go by
   * @param deadlines wakes those whose deadline has come
   * @param answers runs what depends on an outcome; so no caller's work holds up the watch
   */
  public PositionWatch(
      String cluster,
      Inquiry inquiry,
      LongSupplier nanos,
      ScheduledExecutorService deadlines,
      Executor answers) {
    this.cluster = cluster;
    this.inquiry = inquiry;
    this.nanos = nanos;
    this.deadlines = deadlines;
    this.answers = answers;
    this.thread = new Thread(this::run, "watch-" + cluster);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Waits for a write.
   *
   * @return how the wait ended, at the latest when the write's deadline has come; it never fails
   */
  public CompletableFuture<Outcome> await(PendingWrite write) {
    var future = new CompletableFuture<Outcome>();
    long now = nanos.getAsLong();
    boolean rare = now - lastCame > PARTS * TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS);
    lastCame = now;
    synchronized (lock) {
      waiting.add(write);
      futures.put(write, future);
      lock.notifyAll();
      if (closed) {
        end(waiting.abandon());
        return future;
      }
    }
    if (rare) {
      // Its pause may be a long one.
      LockSupport.unpark(thread);
    }
    long left = Math.max(0, write.deadline() - now);
    var timer = deadlines.schedule(this::expire, left, TimeUnit.NANOSECONDS);
    future.whenComplete((outcome, none) -> timer.cancel(false));
    return future;
  }

  /** How many wait. */
  public int size() {
    synchronized (lock) {
      return waiting.size();
    }
  }

  /** How often it looked since it began. */
  public long looks() {
    return looks.get();
  }

  /** Tells those who still wait how far their cells have come, and looks no more. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      end(waiting.abandon());
      lock.notifyAll();
    }
    thread.interrupt();
  }

  private void run() {
    try {
      while (true) {
        var question = awaitQuestion();
        if (question == null) {
          return;
        }
        long begun = nanos.getAsLong();
        look(question);
        pause(begun);
      }
    } catch (InterruptedException e) {
      LOG.debug("the watch of {} ends", cluster);
    }
  }

  /** Null once it is closed. */
  private Question awaitQuestion() throws InterruptedException {
    synchronized (lock) {
      while (waiting.isEmpty() && !closed) {
        lock.wait();
      }
      return closed ? null : waiting.question();
    }
  }

  private void look(Question question) {
    looks.incrementAndGet();
    try {
      var seen = inquiry.look(question);
      outage = seen.outage().isPresent();
      synchronized (lock) {
        end(waiting.observe(seen));
      }
    } catch (RuntimeException | Error e) {
      // Memory that is short for a moment, too, must not end the watch for good.
      LOG.error("the watch of {} can't look; those who wait go on waiting", cluster, e);
      outage = true;
    }
  }

  private void pause(long begun) throws InterruptedException {
    if (!outage && isDue()) {
      return;
    }
    long left = begun + every() - nanos.getAsLong();
    while (left > 0) {
      LockSupport.parkNanos(this, left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      left = begun + every() - nanos.getAsLong();
    }
  }

  /** Nanoseconds from a look to the next. */
  private long every() {
    if (outage) {
      return TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS_OF_AN_OUTAGE);
    }
    long waited = (nanos.getAsLong() - lastCame) / PARTS;
    return Math.min(
        Math.max(waited, TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS)),
        TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS_AT_MOST));
  }

  private boolean isDue() {
    synchronized (lock) {
      return waiting.isDue();
    }
  }

  private void expire() {
    synchronized (lock) {
      end(waiting.expire(nanos.getAsLong()));
    }
  }

  private void end(List<Ended> ended) {
    for (var one : ended) {
      tell(futures.remove(one.write()), one.outcome());
    }
  }

  private void tell(CompletableFuture<Outcome> future, Outcome outcome) {
    try {
      future.completeAsync(() -> outcome, answers);
    } catch (RuntimeException | Error e) {
      // There is no thread for it just now, and nobody would tell this one and the others again.
      future.complete(outcome);
    }
  }
}
