package io.cellmesh.connect.sink.simulation;

import io.cellmesh.connect.sink.base.TaskThreads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads and a clock that a seed decides: of all threads one runs at a time, until it waits, and
 * the time passes only when all wait. What is due at the same time comes in an order that is drawn.
 *
 * <p>Threads, since the sink's core waits in the middle of what it does; they hand on a baton, so
 * nothing runs beside anything and a seed repeats itself. A virtual time serves one run; its
 * threads serve the next one, too.
 */
final class VirtualTime implements TaskThreads {
  private final Baton baton;
  private final Random random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<Fiber> waiting = new ArrayList<>();
  private Fiber driver;
  private long now = TimeUnit.SECONDS.toNanos(1000);
  private long number;
  private boolean over;
  private Throwable failure;

  VirtualTime(Baton baton, Random random) {
    this.baton = baton;
    this.random = random;
  }

  /** Ends everything that still goes on when a run is over. */
  static final class Over extends Error {
    private static final long serialVersionUID = 1;

    Over() {
      super("the run is over", null, false, false);
    }
  }

  /** Threads that are handed from run to run. */
  static final class Baton {
    private final Deque<Fiber> idle = new ArrayDeque<>();

    private Fiber thread() {
      var fiber = idle.poll();
      if (fiber == null) {
        fiber = new Fiber();
        var made = fiber;
        var thread = new Thread(() -> work(made), "simulated");
        thread.setDaemon(true);
        fiber.thread = thread;
        thread.start();
      }
      return fiber;
    }

    private void work(Fiber fiber) {
      fiber.park();
      while (true) {
        fiber.time.runBodies(fiber);
        fiber.park();
      }
    }
  }

  private static final class Fiber {
    private Thread thread;
    private VirtualTime time;
    private Runnable body;
    private volatile boolean turn;

    void unpark() {
      turn = true;
      LockSupport.unpark(thread);
    }

    void park() {
      while (!turn) {
        LockSupport.park(this);
      }
      turn = false;
    }
  }

  private static final class Event implements Comparable<Event> {
    private final long at;
    private final int drawn;
    private final long number;
    private final Wait wait;
    private final Runnable body;
    private final boolean inline;

    Event(long at, int drawn, long number, Wait wait, Runnable body, boolean inline) {
      this.at = at;
      this.drawn = drawn;
      this.number = number;
      this.wait = wait;
      this.body = body;
      this.inline = inline;
    }

    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      int byLot = byTime != 0 ? byTime : Integer.compare(drawn, other.drawn);
      return byLot != 0 ? byLot : Long.compare(number, other.number);
    }
  }

  /** One wait of a thread, which ends once. */
  private static final class Wait {
    private final Fiber fiber;
    private boolean ended;

    Wait(Fiber fiber) {
      this.fiber = fiber;
    }
  }

  /** The time in milliseconds since the beginning. */
  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(now) - 1_000_000;
  }

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public void execute(Runnable task) {
    execute(random.nextInt(8) == 0 ? random.nextInt(3_000_000) : 0, task);
  }

  /** Runs a task on a thread of its own after some nanoseconds. */
  void execute(long nanos, Runnable task) {
    add(nanos, null, task, false);
  }

  /** Does something that does not wait after some nanoseconds. */
  void later(long nanos, Runnable action) {
    add(nanos, null, action, true);
  }

  /** Lets some nanoseconds pass. */
  void sleep(long nanos) {
    checkOver();
    if (nanos > 0) {
      var wait = new Wait(current());
      add(nanos, wait, null, false);
      park(wait);
    }
  }

  @Override
  public boolean await(Future<?> work, long nanos) {
    checkOver();
    if (work.isDone() || nanos <= 0) {
      return work.isDone();
    }
    var wait = new Wait(current());
    add(nanos, wait, null, false);
    ((CompletableFuture<?>) work).whenComplete((done, e) -> add(0, wait, null, false));
    park(wait);
    return work.isDone();
  }

  @Override
  public void await(CompletableFuture<?> work) {
    await(work, TimeUnit.HOURS.toNanos(1));
  }

  @Override
  public void whenLate(CompletableFuture<?> work, long millis, Runnable late) {
    later(
        TimeUnit.MILLISECONDS.toNanos(millis),
        () -> {
          if (!work.isDone()) {
            late.run();
          }
        });
  }

  /** Runs everything until {@link #end}; throws what ended it. */
  void run() throws Throwable {
    driver = new Fiber();
    driver.thread = Thread.currentThread();
    var next = dispatch(null, driver);
    if (next != null) {
      hand(next);
      driver.park();
    }
    unwind();
    if (failure != null) {
      throw failure;
    }
  }

  /** Ends the run, with a failure or without; what still goes on ends at its next step. */
  void end(Throwable why) {
    if (!over) {
      over = true;
      failure = why;
    }
  }

  boolean isOver() {
    return over;
  }

  private void checkOver() {
    if (over) {
      throw new Over();
    }
  }

  private void add(long nanos, Wait wait, Runnable body, boolean inline) {
    if (!over) {
      events.add(new Event(now + nanos, random.nextInt(), number++, wait, body, inline));
    }
  }

  private static final ThreadLocal<Fiber> CURRENT = new ThreadLocal<>();

  private static Fiber current() {
    return CURRENT.get();
  }

  private void park(Wait wait) {
    var self = wait.fiber;
    waiting.add(self);
    var next = dispatch(wait, self);
    if (next != null) {
      hand(next);
      self.park();
    }
    waiting.remove(self);
    checkOver();
  }

  /** Runs the bodies that come to a thread, then gives the baton away. */
  private void runBodies(Fiber fiber) {
    CURRENT.set(fiber);
    while (fiber.body != null) {
      var body = fiber.body;
      fiber.body = null;
      try {
        body.run();
      } catch (Over e) {
        // As it should be.
      } catch (Throwable e) {
        end(e);
      }
      if (unwinding) {
        baton.idle.push(fiber);
        driver.unpark();
        return;
      }
      var next = dispatch(null, fiber);
      if (next == fiber) {
        continue;
      }
      baton.idle.push(fiber);
      hand(next);
      return;
    }
  }

  private boolean unwinding;

  /** Lets everything that waits end. */
  private void unwind() {
    unwinding = true;
    events.clear();
    while (!waiting.isEmpty()) {
      waiting.get(waiting.size() - 1).unpark();
      driver.park();
    }
  }

  private static void hand(Fiber fiber) {
    fiber.unpark();
  }

  /**
   * Goes on to the next thread's turn.
   *
   * @param mine the wait of the calling thread; null if it has ended what it did
   * @return whose turn it is; null if it is the caller's own
   */
  private Fiber dispatch(Wait mine, Fiber self) {
    while (true) {
      if (over) {
        return self == driver ? null : driver;
      }
      var event = events.poll();
      if (event == null) {
        end(new AssertionError("nothing is left to do"));
        continue;
      }
      now = Math.max(now, event.at);
      if (event.inline) {
        try {
          event.body.run();
        } catch (Over e) {
          continue;
        } catch (Throwable e) {
          end(e);
        }
      } else if (event.body != null) {
        var fiber = mine == null && self != driver ? self : baton.thread();
        fiber.time = this;
        fiber.body = event.body;
        return fiber;
      } else if (!event.wait.ended) {
        event.wait.ended = true;
        return event.wait == mine ? null : event.wait.fiber;
      }
    }
  }
}
