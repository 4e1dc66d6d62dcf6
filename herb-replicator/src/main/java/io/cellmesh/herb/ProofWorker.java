package io.cellmesh.herb;

import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.deployment.peer.PeerAwayException;
import io.cellmesh.deployment.peer.PeerRefusedException;
import io.cellmesh.herb.LinkHealth.State;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does a part of the proof turn by turn until it is told to end. When that fails it says why and
 * begins it again, after 2 s and later up to 30 s, or up to 5 s if somebody did not answer; no
 * other part and no link notices. No two of its turns overlap.
 */
final class ProofWorker implements Part {
  private static final Logger LOG = LoggerFactory.getLogger(ProofWorker.class);
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /**
   * Until whoever does not answer is asked again: once it is back nothing is proved before that.
   */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(5);

  private final String name;
  private final Work work;
  private final SharedTurns turns;
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile boolean ended;
  private volatile ProofState state = ProofState.STARTING;

  /** What is at work; for whoever has the turn. */
  private Optional<Run> run = Optional.empty();

  private Duration pause = PAUSE;

  /** What is done until it fails or is told to end. */
  interface Work {
    /** Makes a run, which has not begun. */
    Run open() throws InterruptedException;

    /** Says better what a failure comes from. */
    default Throwable named(Throwable failure) {
      return failure;
    }
  }

  /** What was begun, in turns of any thread, one after the other. */
  interface Run extends AutoCloseable {
    /**
     * Does what there is to do, within seconds.
     *
     * @return how long to rest before the next turn
     */
    Duration turn() throws InterruptedException;

    /** Whether it has all that it needs, and does its work. */
    boolean isRunning();

    /** Keeps what was done, before it is closed. */
    default void settle() {}

    @Override
    void close();
  }

  /**
   * @param name for the log
   * @param turns of all parts of the process
   */
  ProofWorker(String name, Work work, SharedTurns turns) {
    this.name = name;
    this.work = work;
    this.turns = turns;
  }

  @Override
  public void start() {
    turns.begin(Duration.ZERO, this::turn);
  }

  ProofState state() {
    return state;
  }

  @Override
  public void end() {
    ended = true;
    turns.now(this::turn);
  }

  @Override
  public boolean awaitEnd(Duration atMost) throws InterruptedException {
    return done.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }

  private synchronized void turn() {
    if (done.getCount() == 0) {
      return;
    }
    if (ended) {
      finish();
      return;
    }
    var rest = round();
    // Whoever told it to end has asked for a turn.
    if (!ended) {
      if (run.isPresent()) {
        turns.after(rest, this::turn);
      } else {
        turns.begin(rest, this::turn);
      }
    }
  }

  /** Returns how long to rest. */
  private Duration round() {
    try {
      if (run.isEmpty()) {
        run = Optional.of(work.open());
      }
      var rest = run.get().turn();
      if (run.get().isRunning()) {
        become(State.RUNNING, "", null);
      }
      return rest;
    } catch (Throwable e) {
      // Whatever it is, a proof that ended for good would be missed by nobody for a long time.
      boolean ran = state.state() == State.RUNNING;
      close();
      var failure = work.named(e);
      failed(failure);
      pause = ran ? PAUSE : longer(pause, failure);
      return pause;
    }
  }

  /** How long to rest after another failure. */
  static Duration longer(Duration pause, Throwable failure) {
    return min(isSilence(failure) ? LONGEST_SILENCE : LONGEST_PAUSE, pause.multipliedBy(2));
  }

  /** Whether somebody did not answer; what is answered is likely to be answered so again. */
  private static boolean isSilence(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof TimeoutException
          || cause instanceof java.util.concurrent.TimeoutException
          || cause instanceof PeerAwayException) {
        return true;
      }
    }
    return false;
  }

  private void finish() {
    try {
      run.ifPresent(Run::settle);
    } catch (RuntimeException e) {
      LOG.debug("{}: what was done last was not kept, and will be done again", name, e);
    }
    close();
    done.countDown();
  }

  private void close() {
    try {
      run.ifPresent(Run::close);
    } catch (RuntimeException e) {
      LOG.debug("{}: was not closed", name, e);
    }
    run = Optional.empty();
  }

  private void failed(Throwable failure) {
    if (failure instanceof MissingRightException || failure instanceof PeerRefusedException) {
      become(State.HALTED, failure.getMessage(), null);
    } else if (failure instanceof KafkaException || failure instanceof PeerAwayException) {
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
      case RUNNING -> LOG.info("{}: runs", name);
      case RESTARTING -> LOG.error("{} failed; it begins again", name, failure);
      default -> LOG.warn("{}: {}: {}", name, next, why);
    }
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
