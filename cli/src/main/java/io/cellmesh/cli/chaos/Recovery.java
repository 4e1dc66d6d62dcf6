package io.cellmesh.cli.chaos;

import io.cellmesh.devstack.Waiting;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Tells from the delays of single cells how long a fault was felt. A cell is late when two seconds
 * after its acknowledgement it is not in the tables, or not in the log.
 */
final class Recovery {
  private static final Duration LATE = Duration.ofSeconds(2);

  /** So long nothing was late: longer than it takes to be late after a blow. */
  private static final Duration CALM = Duration.ofSeconds(3);

  private static final Duration LOOK = Duration.ofMillis(25);

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
    var late = new AtomicLong(since);
    var left = patience.minusNanos(System.nanoTime() - since);
    boolean calm =
        Waiting.within(
            left,
            LOOK,
            () -> {
              var oldest = oldest();
              if (oldest.isLate()) {
                late.set(System.nanoTime());
                says.accept(oldest.text());
              }
              return System.nanoTime() - late.get() >= CALM.toNanos();
            });
    if (!calm) {
      throw new NotRecoveredException(
          "after %d s cells are still late: %s".formatted(patience.toSeconds(), oldest().text()));
    }
    return Duration.ofNanos(late.get() - since);
  }

  private Oldest oldest() {
    return new Oldest(tables.oldest(), log.oldest());
  }

  /** How long the oldest cell has waited for each of the two. */
  private record Oldest(Duration forTables, Duration forLog) {
    boolean isLate() {
      return forTables.compareTo(LATE) >= 0 || forLog.compareTo(LATE) >= 0;
    }

    String text() {
      return String.format(
          Locale.ROOT,
          "the oldest cell waits for %.1f s for the tables, %.1f s for the log",
          forTables.toMillis() / 1e3,
          forLog.toMillis() / 1e3);
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
