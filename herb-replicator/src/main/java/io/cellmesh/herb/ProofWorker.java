package io.cellmesh.herb;

import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.herb.LinkHealth.State;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that does a part of the proof until it is closed. When that fails it says why and begins
 * it again, after 2 s and later up to 30 s; no other part and no link notices.
 */
final class ProofWorker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProofWorker.class);
  private static final long PAUSE_SECONDS = 2;
  private static final long LONGEST_PAUSE_SECONDS = 30;
  private static final long CLOSE_SECONDS = 20;

  private final Work work;
  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile ProofState state = ProofState.STARTING;

  /** What is done until it fails or is told to end. */
  interface Work {
    /**
     * @param running to be called once all that it needs is there
     * @param ends whether to return
     */
    void run(Runnable running, BooleanSupplier ends) throws InterruptedException;
  }

  ProofWorker(String name, Work work) {
    this.work = work;
    this.thread = new Thread(this::live, name);
  }

  void start() {
    thread.start();
  }

  ProofState state() {
    return state;
  }

  /** Tells it to end. */
  void end() {
    closed.countDown();
  }

  /** Tells it to end, and waits for that, 20 s at most. */
  @Override
  public void close() {
    end();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void live() {
    try {
      long pause = PAUSE_SECONDS;
      do {
        pause = round() ? PAUSE_SECONDS : Math.min(LONGEST_PAUSE_SECONDS, pause * 2);
      } while (!closed.await(pause, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether it ran before it ended. */
  private boolean round() throws InterruptedException {
    try {
      work.run(() -> become(State.RUNNING, "", null), () -> closed.getCount() == 0);
      return true;
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) {
      // Whatever it is, a proof that ended for good would be missed by nobody for a long time.
      boolean ran = state.state() == State.RUNNING;
      failed(e);
      return ran;
    }
  }

  private void failed(Throwable failure) {
    if (failure instanceof MissingRightException lack) {
      become(State.HALTED, lack.getMessage(), null);
    } else if (failure instanceof KafkaException) {
      become(State.WAITING, failure.getMessage(), null);
    } else {
      become(State.RESTARTING, failure.toString(), failure);
    }
  }

  /** Says what is new, once. */
  private void become(State next, String why, Throwable failure) {
    var before = state;
    long restarts = before.restarts() + (next == State.RESTARTING ? 1 : 0);
    state = new ProofState(next, why, restarts);
    // What a Kafka that does not answer says differs each time.
    boolean said = before.state() == next && (next == State.WAITING || before.why().equals(why));
    if (said) {
      return;
    }
    switch (next) {
      case RUNNING -> LOG.info("{}: runs", thread.getName());
      case RESTARTING -> LOG.error("{} failed; it begins again", thread.getName(), failure);
      default -> LOG.warn("{}: {}: {}", thread.getName(), next, why);
    }
  }
}
