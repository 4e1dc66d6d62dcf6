package io.cellmesh.herb;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Goes round and round on a thread of its own, with pauses, until it is told to end. */
final class Rounds implements Part {
  private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

  private final Round round;
  private final Thread thread;
  private volatile boolean ended;

  /** What is done in a round. */
  interface Round {
    /** Returns how long to rest until the next one. */
    Duration run() throws InterruptedException;
  }

  /**
   * @param name of the thread
   * @param round after whose failure, whatever it is, comes another one
   */
  Rounds(String name, Round round) {
    this.round = round;
    this.thread = new Thread(this::live, name);
    thread.setDaemon(true);
  }

  @Override
  public void start() {
    thread.start();
  }

  /** Also interrupts the round that is under way. */
  @Override
  public void end() {
    ended = true;
    thread.interrupt();
  }

  /** Whether it was told to end. */
  boolean isEnded() {
    return ended;
  }

  @Override
  public boolean awaitEnd(Duration atMost) throws InterruptedException {
    // To join for 0 ms is to wait for ever.
    thread.join(Math.max(1, atMost.toMillis()));
    return !thread.isAlive();
  }

  private void live() {
    while (!ended) {
      try {
        TimeUnit.NANOSECONDS.sleep(round().toNanos());
      } catch (InterruptedException | InterruptException e) {
        ended = true;
      }
    }
    LOG.debug("{} has ended", thread.getName());
  }

  /** What ended for good would be missed by nobody for a long time. */
  private Duration round() throws InterruptedException {
    try {
      return round.run();
    } catch (InterruptedException | InterruptException e) {
      throw e;
    } catch (Throwable e) {
      LOG.error("{} failed; it goes on in {} s", thread.getName(), AFTER_FAILURE.toSeconds(), e);
      return AFTER_FAILURE;
    }
  }
}
