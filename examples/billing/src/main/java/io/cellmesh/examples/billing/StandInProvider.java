package io.cellmesh.examples.billing;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/**
 * Stands in for a payment provider, in memory. It forgets with its process, which no provider does:
 * a trip that comes again to a process that was started anew is charged again.
 */
public final class StandInProvider implements PaymentProvider {
  private final Map<UUID, List<Attempt>> attempts = new ConcurrentHashMap<>();
  private final BiPredicate<UUID, Integer> declines;

  /**
   * @param declines whether a trip's card is declined at the attempt of a number
   */
  public StandInProvider(BiPredicate<UUID, Integer> declines) {
    this.declines = declines;
  }

  /** Declines the first attempt at one trip in ten, and the same trips each time. */
  public static boolean declinesOneInTenAtFirst(UUID trip, int number) {
    return number == 1 && Math.floorMod(trip.hashCode(), 10) == 0;
  }

  @Override
  public List<Attempt> charge(UUID trip, BigDecimal amount) {
    return attempts.compute(
        trip, (key, before) -> isCharged(before) ? before : attempt(trip, amount, before));
  }

  private List<Attempt> attempt(UUID trip, BigDecimal amount, List<Attempt> before) {
    var all = new ArrayList<>(before == null ? List.of() : before);
    int number = all.size() + 1;
    all.add(new Attempt(number, amount, !declines.test(trip, number)));
    return List.copyOf(all);
  }

  private static boolean isCharged(List<Attempt> before) {
    return before != null && before.get(before.size() - 1).charged();
  }
}
