package io.cellmesh.cli.chaos;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Tells from the delays of single cells how long a fault was felt. A cell is late when two seconds
 * after its acknowledgement it is not in the tables, or not in the log.
 */
final class Recovery {
  private static final Duration LATE = Duration.ofSeconds(2);

  /** So long nothing was late: longer than it takes to be late after a blow. */
  private static final Duration CALM = Duration.ofSeconds(3);

  private static final long LOOK_MILLIS = 25;

  private final Visibility tables;
  private final LogWatch log;

  Recovery(Visibility tables, LogWatch log) {
    this.tables = tables;
    this.log = log;
  }

  /**
   * Waits until cells have been in time for a while.
   *
   * @param since by {@link System#nanoTime}
   * @param says told what is late, if something is
   * @return how long after that the last one was late
   * @throws NotRecoveredException if they still are when the time is over
   */
  Duration await(long since, Duration patience, Consumer<String> says)
      throws InterruptedException, NotRecoveredException {
    long late = since;
    while (true) {
      var stored = tables.oldest();
      var logged = log.oldest();
      long now = System.nanoTime();
      if (stored.compareTo(LATE) >= 0 || logged.compareTo(LATE) >= 0) {
        late = now;
        says.accept(
            String.format(
                Locale.ROOT,
                "the oldest cell waits for %.1f s for the tables, %.1f s for the log",
                stored.toMillis() / 1e3,
                logged.toMillis() / 1e3));
      }
      if (now - late >= CALM.toNanos()) {
        return Duration.ofNanos(late - since);
      }
      if (now - since > patience.toNanos()) {
        throw new NotRecoveredException(
            "after %d s there are cells that are not in the tables for %d s, and not in the log for %d s"
                .formatted(patience.toSeconds(), stored.toSeconds(), logged.toSeconds()));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** Cells stay late. */
  static final class NotRecoveredException extends Exception {
    private static final long serialVersionUID = 1L;

    NotRecoveredException(String message) {
      super(message);
    }
  }
}
