package io.cellmesh.triggers;

import io.cellmesh.triggers.TriggerState.Phase;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A trigger that runs in this process. What Kafka refuses for a while, or does not answer, it tries
 * again for ever, as what the machine has no room for, and says so in its state.
 */
public final class RunningTrigger implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningTrigger.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final TriggerOptions options;
  private final SharedDispatcher dispatcher;
  private final Notebook notebook;
  private final Members members;
  private final CallbackThreads callbacks;
  private final Replays replays;
  private final TriggerFigures figures;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile TriggerLoop loop;
  private volatile TriggerState apart = TriggerState.STARTING;

  RunningTrigger(
      TriggerOptions options,
      SharedDispatcher dispatcher,
      Notebook notebook,
      Members members,
      CallbackThreads callbacks,
      Replays replays,
      TriggerFigures figures) {
    this.options = options;
    this.dispatcher = dispatcher;
    this.notebook = notebook;
    this.members = members;
    this.callbacks = callbacks;
    this.replays = replays;
    this.figures = figures;
    this.thread = new Thread(this::run, "trigger-" + options.name());
  }

  RunningTrigger start() {
    boolean started = false;
    try {
      callbacks.start();
      thread.start();
      started = true;
      return this;
    } finally {
      if (!started) {
        // The machine has no room for a thread, and nobody else closes what is open.
        end();
      }
    }
  }

  /** Where it is. */
  public TriggerState state() {
    var running = loop;
    return running == null ? apart : running.state();
  }

  /** Waits until it is closed. */
  public void awaitEnd() throws InterruptedException {
    thread.join();
  }

  /**
   * Lets end the callbacks that run, for a minute at most, commits what is done, and hands its
   * partitions on. May be called more than once.
   */
  @Override
  public void close() {
    closing.countDown();
    var running = loop;
    if (running != null) {
      running.wakeUp();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    var pause = FIRST_PAUSE;
    try {
      while (closing.getCount() > 0) {
        long begun = System.nanoTime();
        try (var running =
            new TriggerLoop(options, dispatcher, notebook, replays, members, figures)) {
          loop = running;
          if (closing.getCount() > 0) {
            running.run();
          }
        } catch (RuntimeException e) {
          // Of Kafka, or of a damaged record of the state topic: whoever mends it need not start
          // this.
          waits(e.getMessage() == null ? e.toString() : e.getMessage());
          LOG.debug("Details", e);
        } catch (Error e) {
          // Of the machine, which has no room for a thread or for memory just now.
          waits(e.toString());
          LOG.error("Details", e);
        } finally {
          loop = null;
        }
        pause = System.nanoTime() - begun > LONGEST_PAUSE.toNanos() ? FIRST_PAUSE : pause;
        if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          break;
        }
        pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
      }
    } catch (InterruptedException e) {
      LOG.debug("Trigger {} is interrupted", options.name(), e);
    } finally {
      end();
    }
  }

  private void waits(String why) {
    apart = TriggerState.bare(Phase.WAITING, why);
    LOG.error("Trigger {} begins again: {}", options.name(), why);
  }

  private void end() {
    dispatcher.close();
    try {
      callbacks.end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    members.leave();
    notebook.close();
    apart = TriggerState.bare(Phase.CLOSED, "");
    LOG.info("Trigger {} is closed", options.name());
  }
}
