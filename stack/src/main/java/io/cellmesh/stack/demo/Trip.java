package io.cellmesh.stack.demo;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.stack.demo.TripModel.Driver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * One made-up trip: its base data once it is over, then each attempt to bill it, and sometimes
 * notes, fare adjustments or a correction of the base data, hours or days later.
 */
final class Trip {
  private static final String[] NOTES = {
    "Left an umbrella on the back seat",
    "Rider asked for a quiet ride",
    "Road closed, took the bridge instead",
    "Great conversation, five stars ☆",
    "Waited 6 minutes at the pickup"
  };
  private static final String[] DECLINES = {"card_expired", "insufficient_funds", "issuer_timeout"};
  private static final String[] REASONS = {"inefficient_route", "promotion", "toll_added"};

  private final SplittableRandom random;
  private final UUID rowKey;
  private final Driver driver;
  private final Instant createdAt;
  private final double kilometres;
  private final int minutes;
  private final List<Event> events = new ArrayList<>();

  private Trip(SplittableRandom random, Instant createdAt) {
    this.random = random;
    this.rowKey = randomUuid(random);
    this.driver = TripModel.driver(random);
    this.createdAt = createdAt;
    this.kilometres = 0.8 + 14 * Math.pow(random.nextDouble(), 2);
    this.minutes = (int) (3 + kilometres * (1.5 + 2.5 * random.nextDouble()));
  }

  /** The cells of a trip, each with the time at which it comes to be. */
  static List<Event> events(SplittableRandom random, Instant createdAt) {
    var trip = new Trip(random, createdAt);
    trip.base();
    trip.status();
    trip.notes();
    trip.fareAdjustments();
    trip.correction();
    return trip.events;
  }

  private void base() {
    var rider = TripModel.rider(random);
    add(ended(), "BASE", 1, baseJson(rider, driver.city().perKilometre() * kilometres));
  }

  private void correction() {
    if (random.nextDouble() < 0.04) {
      var rider = TripModel.rider(random);
      double fare = driver.city().perKilometre() * kilometres * 0.9;
      add(later(2, 48), "BASE", 2, baseJson(rider, fare));
    }
  }

  private String baseJson(UUID rider, double fare) {
    return """
        {"driver_partner_uuid":"%s","client_uuid":"%s","city_uuid":"%s","city":"%s",\
        "trip_created_at":"%s","trip_ended_at":"%s","distance_km":%s,"duration_min":%d,\
        "vehicle":"%s","fare":{"amount":%s,"currency":"%s"}}"""
        .formatted(
            driver.id(),
            rider,
            driver.city().id(),
            driver.city().name(),
            createdAt,
            ended(),
            decimal(kilometres),
            minutes,
            random.nextInt(5) == 0 ? "black" : "x",
            decimal(fare),
            driver.city().currency());
  }

  private void status() {
    double draw = random.nextDouble();
    int attempts = draw < 0.82 ? 1 : draw < 0.95 ? 2 : 3;
    for (int attempt = 1; attempt <= attempts; attempt++) {
      boolean paid = attempt < attempts || random.nextDouble() < 0.03 ? false : true;
      var outcome =
          paid
              ? "\"status\":\"billed\""
              : "\"status\":\"declined\",\"reason\":\"%s\"".formatted(pick(DECLINES));
      var json =
          "{%s,\"attempt\":%d,\"card\":\"•••• %04d\"}"
              .formatted(outcome, attempt, random.nextInt(10_000));
      add(ended().plus(Duration.ofMinutes(1L + 30L * (attempt - 1))), "STATUS", attempt, json);
    }
  }

  private void notes() {
    int count = random.nextDouble() < 0.22 ? 1 + random.nextInt(2) : 0;
    for (int note = 1; note <= count; note++) {
      var json =
          "{\"by\":\"%s\",\"rating\":%d,\"text\":\"%s\"}"
              .formatted(
                  random.nextBoolean() ? "rider" : "driver", 1 + random.nextInt(5), pick(NOTES));
      add(later(1, 24).plus(Duration.ofDays(note - 1L)), "NOTES", note, json);
    }
  }

  private void fareAdjustments() {
    if (random.nextDouble() < 0.07) {
      double amount = -0.25 * driver.city().perKilometre() * kilometres;
      var json =
          "{\"amount\":%s,\"currency\":\"%s\",\"reason\":\"%s\"}"
              .formatted(decimal(amount), driver.city().currency(), pick(REASONS));
      add(later(3, 72), "FARE_ADJUSTMENT", 1, json);
    }
  }

  private void add(Instant at, String column, long refKey, String json) {
    try {
      var key = new CellKey(rowKey, column, refKey);
      events.add(new Event(at, new Cell(key, Body.ofJson(json), Optional.empty())));
    } catch (InvalidCellException e) {
      throw new IllegalStateException(e);
    }
  }

  private Instant ended() {
    return createdAt.plus(Duration.ofMinutes(minutes));
  }

  private Instant later(int fromHours, int toHours) {
    return ended().plus(Duration.ofMinutes(random.nextInt(fromHours * 60, toHours * 60)));
  }

  private String pick(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static UUID randomUuid(SplittableRandom random) {
    long high = random.nextLong() & 0xffffffffffff0fffL | 0x4000L;
    long low = random.nextLong() & 0x3fffffffffffffffL | 0x8000000000000000L;
    return new UUID(high, low);
  }

  /** A cell and when it comes to be. */
  record Event(Instant at, Cell cell) {}
}
