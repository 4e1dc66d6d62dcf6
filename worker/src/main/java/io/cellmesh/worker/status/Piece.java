package io.cellmesh.worker.status;

import io.cellmesh.cell.Printable;
import io.cellmesh.storage.MySqlErrors;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One part of the state that is looked at again and again, by one thread at a time. It paces
 * itself: after each look it rests for a multiple of what the look took, so that a large instance,
 * or one that answers late, is asked less often. Thread-safe.
 */
final class Piece<T> {
  /** From look to look while nobody watches, so that the last hour is known all the same. */
  static final Duration UNWATCHED = Duration.ofSeconds(60);

  private static final Logger LOG = LoggerFactory.getLogger(Piece.class);
  private static final int LONGEST = 500;

  /** No look takes so long that it has to rest for longer, but the clock may be set meanwhile. */
  private static final Duration LONGEST_REST = Duration.ofHours(1);

  private final String name;
  private final Duration every;
  private final int rest;
  private final Question<T> question;
  private final Clock clock;
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile Looked<T> last = Looked.never();
  private volatile Instant ended = Instant.EPOCH;

  /** What is asked; it bounds its waits itself. */
  @FunctionalInterface
  interface Question<T> {
    T ask() throws Exception;
  }

  /**
   * @param every shortest time from the end of a look to the next while somebody watches
   * @param rest how many times as long as the look took it rests at least
   */
  Piece(String name, Duration every, int rest, Question<T> question, Clock clock) {
    this.name = name;
    this.every = every;
    this.rest = rest;
    this.question = question;
    this.clock = clock;
  }

  /** Whether it is time to look, and nobody does. */
  boolean due(Instant now, boolean watched) {
    var pause = watched ? every : UNWATCHED;
    var resting = Duration.ofMillis(Math.min(last.tookMillis() * rest, LONGEST_REST.toMillis()));
    var next = ended.plus(resting.compareTo(pause) > 0 ? resting : pause);
    // One that ended later than now ended by a clock that was set back since.
    return !looking.get() && (now.isBefore(ended) || !now.isBefore(next));
  }

  /** Looks, unless another thread does just now. It never throws. */
  void look() {
    if (!looking.compareAndSet(false, true)) {
      return;
    }
    var begun = clock.instant();
    try {
      var seen = question.ask();
      last = Looked.seen(seen, clock.instant(), Duration.between(begun, clock.instant()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception | Error e) {
      LOG.debug("{}", name, e);
      last = last.failed(why(e), clock.instant(), Duration.between(begun, clock.instant()));
    } finally {
      ended = clock.instant();
      looking.set(false);
    }
  }

  /** What it looks at, for messages. */
  String name() {
    return name;
  }

  Looked<T> last() {
    return last;
  }

  /** In one line for a person. */
  static String why(Throwable e) {
    var text =
        e instanceof SQLException sql
            ? MySqlErrors.explain(sql)
            : e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    var line = Printable.of(text.lines().findFirst().orElse(""));
    return line.codePointCount(0, line.length()) <= LONGEST
        ? line
        : line.substring(0, line.offsetByCodePoints(0, LONGEST)) + "…";
  }
}
