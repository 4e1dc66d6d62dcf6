package io.cellmesh.cell;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Made-up records of {@code trips.cells}, the same for the same seed. */
final class SampleCells {
  private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

  private final Random random;

  SampleCells(long seed) {
    this.random = new Random(seed);
  }

  /** A record's key and value, both as a producer sends them. */
  record Sample(byte[] key, byte[] value, String body) {}

  Sample of(String body) {
    var row = new UUID(random.nextLong(), random.nextLong()).toString();
    var value =
        "{\"row_key\":\"%s\",\"column_name\":\"%s\",\"ref_key\":%d,\"body\":%s}"
            .formatted(row, random.nextBoolean() ? "BASE" : "STATUS", random.nextInt(9), body);
    return new Sample(Json.utf8(row), Json.utf8(value), body);
  }

  /** About 30 bytes. */
  String small() {
    return "{\"status\":\"billed\",\"attempt\":%d}".formatted(1 + random.nextInt(3));
  }

  /** About 330 bytes: the 14 fields of a taxi trip. */
  String trip() {
    var pickup = START.plus(random.nextInt(10_000_000), ChronoUnit.SECONDS);
    double fare = 3 + random.nextInt(8000) / 100.0;
    double tip = random.nextInt(2000) / 100.0;
    return String.format(
        Locale.ROOT,
        """
        {"vendor_id":%d,"pickup_at":"%s","dropoff_at":"%s","passenger_count":%d,\
        "trip_distance":%.2f,"rate_code":"%s","store_and_forward":%b,"pickup_location":%d,\
        "dropoff_location":%d,"payment_type":"%s","fare_amount":%.2f,"congestion_surcharge":%.1f,\
        "tip_amount":%.2f,"total_amount":%.2f}""",
        1 + random.nextInt(2),
        pickup,
        pickup.plusSeconds(60 + random.nextInt(4000)),
        1 + random.nextInt(5),
        random.nextInt(3000) / 100.0,
        pick("standard", "jfk", "newark", "negotiated"),
        random.nextInt(20) == 0,
        random.nextInt(265),
        random.nextInt(265),
        pick("card", "cash", "dispute"),
        fare,
        random.nextBoolean() ? 2.5 : 0.0,
        tip,
        fare + tip);
  }

  /** About 5 kB: a trip with the places along its way, and a remark that needs escapes. */
  String large() {
    var way =
        IntStream.range(0, 80)
            .mapToObj(
                i ->
                    String.format(
                        Locale.ROOT,
                        "{\"at\":%d,\"lat\":%.6f,\"lon\":%.6f,\"mph\":%d}",
                        1_769_860_800L + i * 7L,
                        40.7 + random.nextInt(100_000) / 1e6,
                        -73.9 - random.nextInt(100_000) / 1e6,
                        random.nextInt(60)))
            .collect(Collectors.joining(","));
    return "{\"trip\":%s,\"note\":\"\\\"five stars\\\" \\u2606 ☆ 😀\",\"way\":[%s]}"
        .formatted(trip(), way);
  }

  private String pick(String... of) {
    return of[random.nextInt(of.length)];
  }
}
