package io.cellmesh.stack.demo;

import io.cellmesh.cell.Cell;
import io.cellmesh.stack.demo.Trip.Event;
import io.cellmesh.topics.load.CellSequence;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Trips as in Uber's article of 2016: BASE once, STATUS for each attempt at billing, and for some
 * trips NOTES, FARE_ADJUSTMENT or a corrected BASE.
 *
 * <p>The same seed gives the same cells in the same order, and a longer load begins with a shorter
 * one's trips. Cells come in the order of the made-up time, so that those of many trips mix, as
 * they would in a running business.
 */
public final class TripGenerator implements CellSequence {
  private static final Instant FIRST_TRIP = Instant.parse("2026-01-31T06:00:00Z");
  private static final long SEED_STEP = 0x9e3779b97f4a7c15L;

  private final long seed;
  private final long end;
  private final PriorityQueue<Ordered> pending =
      new PriorityQueue<>(
          Comparator.comparing((Ordered o) -> o.event.at()).thenComparingLong(Ordered::number));
  private long next;
  private long trips;
  private long events;
  private Instant clock = FIRST_TRIP;

  /**
   * @param first the number of the first trip; the first of all is 0
   * @param count how many trips to make
   */
  public TripGenerator(long seed, long first, long count) {
    this.seed = seed;
    this.next = first;
    this.end = first + count;
  }

  @Override
  public Optional<Cell> next() {
    // A trip ends after it began, so nothing that a later trip brings is due before the clock.
    while (next < end && (pending.isEmpty() || pending.peek().event.at().isAfter(clock))) {
      begin();
    }
    return Optional.ofNullable(pending.poll()).map(o -> o.event.cell());
  }

  @Override
  public long trips() {
    return trips;
  }

  @Override
  public void close() {}

  private void begin() {
    var random = new SplittableRandom(seed + SEED_STEP * (next + 1));
    clock = clock.plus(Duration.ofSeconds(random.nextInt(40)));
    for (var event : Trip.events(random, clock)) {
      pending.add(new Ordered(event, events++));
    }
    next++;
    trips++;
  }

  /**
   * @param number settles the order of events of the same time
   */
  private record Ordered(Event event, long number) {}
}
