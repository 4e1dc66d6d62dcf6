package io.cellmesh.worker.load;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A look that a timer takes again and again. A timer ends for good what throws something, memory
 * that is short for a moment too; here that is logged, once for as long as it stays the same, and
 * the next look comes.
 */
public final class RecurringLook implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(RecurringLook.class);

  private final String what;
  private final Look look;

  /** What the last look met; empty if it met nothing. */
  private String complaint = "";

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
      complaint = "";
    } catch (Exception | Error e) {
      complain(e);
    }
  }

  private void complain(Throwable e) {
    var met = e.toString();
    if (met.equals(complaint)) {
      LOG.debug("a look at {} failed again", what, e);
    } else {
      complaint = met;
      LOG.error("a look at {} failed; it is looked at again", what, e);
    }
  }
}
