package io.cellmesh.stack.chaos;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches on a thread of its own until it is closed. What fails is begun again, for whatever is
 * watched may be what was struck.
 */
final class Watching implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watching.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LAST_LOOK = Duration.ofSeconds(10);

  private final Work work;
  private final Thread thread;
  private volatile boolean closed;

  private Watching(String name, Work work) {
    this.work = work;
    this.thread = new Thread(this::run, name);
  }

  /** What is done until it fails. */
  interface Work {
    /**
     * @param goesOn whether it has not been closed
     */
    void run(BooleanSupplier goesOn);
  }

  /**
   * Begins.
   *
   * @param name of the thread
   */
  static Watching start(String name, Work work) {
    var watching = new Watching(name, work);
    watching.thread.setDaemon(true);
    watching.thread.start();
    return watching;
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join(LAST_LOOK.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!closed) {
      try {
        work.run(() -> !closed);
      } catch (RuntimeException e) {
        LOG.warn("{} goes on in a moment: {}", thread.getName(), e.toString());
        rest();
      }
    }
  }

  private void rest() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      closed = true;
    }
  }
}
