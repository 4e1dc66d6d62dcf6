package io.cellmesh.triggers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Lets the thread that reads and those that call back use one {@link Dispatcher}. Whoever ends a
 * batch takes the next one itself, so a shard's next cell does not wait for the thread that reads.
 */
final class SharedDispatcher {
  /** What is due and not for a callback is done by the thread that reads. */
  private static final long OTHERS_TURN = Duration.ofMillis(20).toNanos();

  private final Dispatcher dispatcher;
  private final Duration window;
  private final RunningClock clock = new RunningClock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();

  /** On which the one thread waits that minds the time. */
  private final Condition due = lock.newCondition();

  private final Condition ended = lock.newCondition();

  /** With room for all that run at once: one that has to grow and can't loses what it holds. */
  private final Deque<Batch> begun;

  private final int batch;
  private Instant filledAt = Instant.MIN;
  private Instant mindedUntil;
  private boolean closed;

  /** What kept a batch from beginning or from ending; null if nothing did. */
  private Throwable damage;

  /**
   * @param batch so many cells are waited for, at most for the window
   * @param window zero where nobody waits
   */
  SharedDispatcher(Dispatcher dispatcher, int batch, Duration window) {
    this.dispatcher = dispatcher;
    this.begun = new ArrayDeque<>(dispatcher.concurrency());
    this.batch = batch;
    this.window = window;
  }

  /** Does something with the dispatcher that no other thread uses meanwhile. */
  <T> T with(BiFunction<Dispatcher, Instant, T> use) {
    lock.lock();
    try {
      return use.apply(dispatcher, clock.now());
    } finally {
      lock.unlock();
    }
  }

  /** Does so, and has a thread look whether there is something to call back for. */
  <T> T feed(BiFunction<Dispatcher, Instant, T> use) {
    lock.lock();
    try {
      var now = clock.now();
      if (dispatcher.cells() == 0) {
        filledAt = now;
      }
      var result = use.apply(dispatcher, now);
      wakeOne();
      return result;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a batch that is to begin.
   *
   * @return null when it is closed
   */
  Batch take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!closed) {
        if (begun.isEmpty() && !waitsForMore(clock.now())) {
          dispatcher.next(clock.now(), begun);
        }
        var first = begun.poll();
        if (first != null) {
          if (!begun.isEmpty() || mindedUntil == null) {
            wakeOne();
          }
          return first;
        }
        await();
      }
      return null;
    } catch (RuntimeException | Error e) {
      damage = e;
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** Says what became of a batch. */
  void end(Batch of, Exception failure) {
    lock.lock();
    try {
      if (failure == null) {
        dispatcher.succeeded(of, clock.now());
      } else {
        dispatcher.failed(of, failure, clock.now());
      }
    } catch (RuntimeException | Error e) {
      damage = e;
      throw e;
    } finally {
      ended.signalAll();
      lock.unlock();
    }
  }

  /**
   * Fails once after a batch could not begin or end, whose cells nobody will call back for any
   * more: the partitions have to be taken over anew.
   */
  void check() {
    lock.lock();
    try {
      if (damage != null) {
        var cause = damage;
        damage = null;
        throw new IllegalStateException("cells could not be handed over: " + cause, cause);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until batches have ended.
   *
   * @return false if they had not when the time was over
   */
  boolean awaitEnd(Predicate<Dispatcher> hasEnded, Duration most) {
    long left = most.toNanos();
    lock.lock();
    try {
      while (!hasEnded.test(dispatcher)) {
        if (left <= 0) {
          return false;
        }
        left = ended.awaitNanos(left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Gives out nothing more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      work.signalAll();
      due.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  private boolean waitsForMore(Instant now) {
    return !window.isZero() && dispatcher.cells() < batch && now.isBefore(filledAt.plus(window));
  }

  private void wakeOne() {
    if (lock.hasWaiters(work)) {
      work.signal();
    } else {
      due.signal();
    }
  }

  /** One thread wakes when something is due, the others when there is something to do. */
  private void await() throws InterruptedException {
    var now = clock.now();
    var next = waitsForMore(now) ? filledAt.plus(window) : dispatcher.due().orElse(Instant.MAX);
    if (mindedUntil != null) {
      if (next.isBefore(mindedUntil)) {
        due.signal();
      }
      work.await();
      return;
    }
    mindedUntil = next;
    try {
      if (next.equals(Instant.MAX)) {
        due.await();
      } else {
        due.awaitNanos(next.isAfter(now) ? Duration.between(now, next).toNanos() : OTHERS_TURN);
      }
    } finally {
      mindedUntil = null;
    }
  }
}
