package io.cellmesh.bench;

import java.time.Instant;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Made-up trips, a cell of about 300 bytes of JSON each, no two of one row. The same seed gives the
 * same cells. Drivers, riders and cities come again, fares and times do not, so that compression
 * finds what it would find in a business.
 */
final class TripCells {
  private static final long FIRST_TRIP = Instant.parse("2026-01-31T06:00:00Z").getEpochSecond();
  private static final int DRIVERS = 20_000;
  private static final int RIDERS = 200_000;
  private static final String[] CITIES = {
    "San Francisco", "New York", "Aarhus", "London", "São Paulo", "Delhi", "Nairobi", "Tōkyō"
  };
  private static final String[] CURRENCIES = {
    "USD", "USD", "DKK", "GBP", "BRL", "INR", "KES", "JPY"
  };
  private static final String[] VEHICLES = {"x", "black", "pool", "green"};

  private final SplittableRandom random;
  private long trip;

  TripCells(long seed) {
    this.random = new SplittableRandom(seed);
  }

  BenchCell next() {
    return next(rowKey -> true);
  }

  /** A cell of a row that is wanted. */
  BenchCell next(Predicate<UUID> wanted) {
    var rowKey = uuid(random);
    while (!wanted.test(rowKey)) {
      rowKey = uuid(random);
    }
    return new BenchCell(rowKey, "BASE", 1, body());
  }

  private String body() {
    int city = random.nextInt(CITIES.length);
    double kilometres = 0.8 + 14 * Math.pow(random.nextDouble(), 2);
    int minutes = (int) (3 + kilometres * (1.5 + 2.5 * random.nextDouble()));
    long begin = FIRST_TRIP + trip++ / 3;
    return "{\"driver_uuid\":\""
        + person(1, random.nextInt(DRIVERS))
        + "\",\"client_uuid\":\""
        + person(2, random.nextInt(RIDERS))
        + "\",\"city\":\""
        + CITIES[city]
        + "\",\"trip_created_at\":\""
        + Instant.ofEpochSecond(begin)
        + "\",\"trip_ended_at\":\""
        + Instant.ofEpochSecond(begin + 60L * minutes)
        + "\",\"distance_km\":"
        + decimal(kilometres)
        + ",\"duration_min\":"
        + minutes
        + ",\"vehicle\":\""
        + VEHICLES[random.nextInt(VEHICLES.length)]
        + "\",\"fare\":{\"amount\":"
        + decimal(2.5 + 1.9 * kilometres)
        + ",\"currency\":\""
        + CURRENCIES[city]
        + "\"}}";
  }

  private static UUID person(int kind, int number) {
    return uuid(new SplittableRandom(kind * 1_000_003L + number));
  }

  private static UUID uuid(SplittableRandom random) {
    long high = random.nextLong() & 0xffffffffffff0fffL | 0x4000L;
    long low = random.nextLong() & 0x3fffffffffffffffL | 0x8000000000000000L;
    return new UUID(high, low);
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
