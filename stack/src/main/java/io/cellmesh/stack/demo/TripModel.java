package io.cellmesh.stack.demo;

import io.cellmesh.topics.load.NameUuid;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** The world that generated trips happen in: cities, and drivers who live in one of them. */
final class TripModel {
  private static final UUID NAMESPACE = UUID.fromString("b7d0f5a8-3f52-5c1d-8f0e-61a4c7e2d935");

  /** Few enough that each has several of even a small load's trips. */
  private static final int DRIVERS = 250;

  private static final int RIDERS = 20_000;

  /** The chance of the next busiest city is this much lower than the one before. */
  private static final double CITY_DECAY = 0.72;

  private static final List<City> CITIES =
      List.of(
          city("San Francisco", "USD", 1.9),
          city("New York", "USD", 2.1),
          city("Aarhus", "DKK", 12.4),
          city("London", "GBP", 1.6),
          city("São Paulo", "BRL", 2.6),
          city("Delhi", "INR", 14.5),
          city("Nairobi", "KES", 48.0),
          city("Tōkyō", "JPY", 310.0));

  private TripModel() {}

  /** A driver; the first are the busiest. */
  static Driver driver(SplittableRandom random) {
    double uniform = random.nextDouble();
    int number = (int) (uniform * uniform * DRIVERS);
    return new Driver(id("driver", number), cityOf(number));
  }

  static UUID rider(SplittableRandom random) {
    return id("rider", random.nextInt(RIDERS));
  }

  private static City cityOf(int driver) {
    var random = new SplittableRandom(driver);
    int city = 0;
    while (city < CITIES.size() - 1 && random.nextDouble() < CITY_DECAY) {
      city++;
    }
    return CITIES.get(city);
  }

  private static City city(String name, String currency, double perKilometre) {
    return new City(id("city", name.hashCode()), name, currency, perKilometre);
  }

  private static UUID id(String kind, int number) {
    return NameUuid.of(NAMESPACE, kind + "/" + number);
  }

  /** A place with its money and what a kilometre costs there. */
  record City(UUID id, String name, String currency, double perKilometre) {}

  record Driver(UUID id, City city) {}
}
