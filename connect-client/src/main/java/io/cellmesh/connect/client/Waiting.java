package io.cellmesh.connect.client;

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
    return untilSeen(
        pause, look, seen -> wanted.test(seen) || System.nanoTime() - begun >= patience.toNanos());
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
    return untilSeen(pause, look, new Standstill<>(stall, place, enough));
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
    untilSeen(pause, condition::holds, holds -> holds);
  }

  /** Whether the condition came true in time, for who is not to be interrupted meanwhile. */
  public static boolean within(Duration patience, BooleanSupplier condition) {
    try {
      return within(patience, PAUSE, condition::getAsBoolean);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectClientException("interrupted while waiting", e);
    }
  }

  /**
   * Waits until the condition is true, and otherwise throws what it is given for that.
   *
   * @param <X> what is thrown when it is too late
   */
  public static <X extends RuntimeException> void until(
      Duration patience, BooleanSupplier condition, Supplier<X> tooLate) {
    if (!within(patience, condition)) {
      throw tooLate.get();
    }
  }

  /** The one loop. Nothing tells it that there is something new to see, so it pauses and looks. */
  private static <T, E extends Exception> T untilSeen(
      Duration pause, Look<T, E> look, Predicate<T> last) throws E, InterruptedException {
    var seen = look.now();
    while (!last.test(seen)) {
      Thread.sleep(pause.toMillis());
      seen = look.now();
    }
    return seen;
  }

  /** Ends with what is enough, or when nothing has moved for too long; told everything seen. */
  private static final class Standstill<T> implements Predicate<T> {
    private final Duration stall;
    private final Function<T, ?> place;
    private final BiPredicate<T, Boolean> enough;
    private Object before;
    private long since;

    Standstill(Duration stall, Function<T, ?> place, BiPredicate<T, Boolean> enough) {
      this.stall = stall;
      this.place = place;
      this.enough = enough;
    }

    @Override
    public boolean test(T seen) {
      long now = System.nanoTime();
      var at = place.apply(seen);
      boolean moved = !at.equals(before);
      if (moved) {
        before = at;
        since = now;
      }
      return enough.test(seen, moved) || now - since >= stall.toNanos();
    }
  }
}
