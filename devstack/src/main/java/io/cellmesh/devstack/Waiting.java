package io.cellmesh.devstack;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Looking again and again until something is so. */
public final class Waiting {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Waiting() {}

  /**
   * Something that becomes true.
   *
   * @param <E> what looking at it throws, which ends the waiting
   */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    boolean holds() throws E, InterruptedException;
  }

  /**
   * What is seen at one moment.
   *
   * @param <E> what looking throws, which ends the waiting
   */
  @FunctionalInterface
  public interface Look<T, E extends Exception> {
    T now() throws E, InterruptedException;
  }

  /**
   * Looks at once, and then after each pause, until it sees what is wanted.
   *
   * @return what it saw last, which is something else if the patience was over
   */
  public static <T, E extends Exception> T last(
      Duration patience, Duration pause, Look<T, E> look, Predicate<T> wanted)
      throws E, InterruptedException {
    long begun = System.nanoTime();
    while (true) {
      var seen = look.now();
      if (wanted.test(seen) || System.nanoTime() - begun >= patience.toNanos()) {
        return seen;
      }
      Thread.sleep(pause.toMillis());
    }
  }

  /**
   * The same with patience for what moves: it begins anew whenever something else is seen than at
   * the look before, and at the first look.
   *
   * @param enough told what is seen, and whether it has moved
   * @return what it saw last: enough, or what has stood still for so long
   */
  public static <T, E extends Exception> T whileItMoves(
      Duration stall, Duration pause, Look<T, E> look, BiPredicate<T, Boolean> enough)
      throws E, InterruptedException {
    return whileItMoves(stall, pause, look, Function.identity(), enough);
  }

  /**
   * The same for what has more to it than what moves.
   *
   * @param place of what is seen: the part that has to change
   */
  public static <T, E extends Exception> T whileItMoves(
      Duration stall,
      Duration pause,
      Look<T, E> look,
      Function<T, ?> place,
      BiPredicate<T, Boolean> enough)
      throws E, InterruptedException {
    Object before = null;
    long since = System.nanoTime();
    while (true) {
      var seen = look.now();
      var at = place.apply(seen);
      boolean moved = !at.equals(before);
      if (moved) {
        before = at;
        since = System.nanoTime();
      }
      if (enough.test(seen, moved) || System.nanoTime() - since >= stall.toNanos()) {
        return seen;
      }
      Thread.sleep(pause.toMillis());
    }
  }

  /**
   * Looks at once, and then after each pause, for what is to come.
   *
   * @return empty if it was not there when the patience was over
   */
  public static <T, E extends Exception> Optional<T> find(
      Duration patience, Duration pause, Look<Optional<T>, E> look) throws E, InterruptedException {
    return last(patience, pause, look, Optional::isPresent);
  }

  /** Whether the condition came true in time; looked at like {@link #find}. */
  public static <E extends Exception> boolean within(
      Duration patience, Duration pause, Condition<E> condition) throws E, InterruptedException {
    return last(patience, pause, condition::holds, held -> held);
  }

  /**
   * Waits for as long as it takes until the condition is true, looking at once and after each
   * pause. For what tells its progress and throws when it can't go on, so that nobody waits in the
   * dark.
   */
  public static <E extends Exception> void until(Duration pause, Condition<E> condition)
      throws E, InterruptedException {
    while (!condition.holds()) {
      Thread.sleep(pause.toMillis());
    }
  }

  /** Whether the condition came true in time, for who is not to be interrupted meanwhile. */
  public static boolean within(Duration patience, BooleanSupplier condition) {
    try {
      return within(patience, PAUSE, condition::getAsBoolean);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DevStackException("interrupted while waiting", e);
    }
  }

  /** Waits until the condition is true, and otherwise throws what it is given for that. */
  static void until(
      Duration patience, BooleanSupplier condition, Supplier<DevStackException> tooLate) {
    if (!within(patience, condition)) {
      throw tooLate.get();
    }
  }
}
