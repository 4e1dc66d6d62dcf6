package io.cellmesh.worker.load;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A look that a timer takes again and again. A timer ends for good what throws something, memory
 * that is short for a moment too; here that is logged, and the next look comes.
 */
public final class RecurringLook implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(RecurringLook.class);

  private final String what;
  private final Look look;

  /** What is done each time. */
  @FunctionalInterface
  public interface Look {
    void take() throws Exception;
  }

  /**
   * @param what is looked at, for the log
   */
  public RecurringLook(String what, Look look) {
    this.what = what;
    this.look = look;
  }

  @Override
  public void run() {
    try {
      look.take();
    } catch (Exception | Error e) {
      LOG.error("a look at {} failed; it is looked at again", what, e);
    }
  }
}
