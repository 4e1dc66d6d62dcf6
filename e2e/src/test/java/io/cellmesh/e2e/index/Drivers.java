package io.cellmesh.e2e.index;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Topology;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What the entity tables say about every driver's trips, read by brute force and without any code
 * of the indexes': the standard that answers are held against.
 */
final class Drivers {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<UUID, Trip> trips = new HashMap<>();
  private final Map<String, List<Trip>> byDriver = new HashMap<>();
  private final List<String> drivers;

  /** A trip by its newest BASE. */
  record Trip(UUID rowKey, long refKey, String driver, String city, Instant created) {}

  /**
   * A question: the trips of a driver in a city, from a time to a time.
   *
   * @param rows the answer
   */
  record TripQuery(String driver, String city, Instant from, Instant to, Set<UUID> rows) {}

  private Drivers(Topology topology, Pools pools) throws SQLException {
    for (int shard = 0; shard < topology.shards().count(); shard++) {
      try (var connection = pools.open(topology.clusterOf(shard).master())) {
        EntityScan.scan(connection, topology, shard, 0, this::add);
      }
    }
    for (var trip : trips.values()) {
      byDriver.computeIfAbsent(trip.driver, d -> new ArrayList<>()).add(trip);
    }
    this.drivers = byDriver.keySet().stream().sorted().toList();
  }

  static Drivers of(Topology topology, Pools pools) throws SQLException {
    return new Drivers(topology, pools);
  }

  int trips() {
    return trips.size();
  }

  /** Whether a row was there when the tables were read. */
  boolean knows(UUID rowKey) {
    return trips.containsKey(rowKey);
  }

  TripQuery draw(Random random) {
    var mine = byDriver.get(drivers.get(random.nextInt(drivers.size())));
    var one = mine.get(random.nextInt(mine.size()));
    var other = mine.get(random.nextInt(mine.size()));
    boolean inOrder = one.created.isBefore(other.created);
    var from = inOrder ? one.created : other.created;
    var to = inOrder ? other.created : one.created;
    var rows =
        mine.stream()
            .filter(trip -> trip.city.equals(one.city))
            .filter(trip -> !trip.created.isBefore(from) && !trip.created.isAfter(to))
            .map(Trip::rowKey)
            .collect(Collectors.toCollection(TreeSet::new));
    return new TripQuery(one.driver, one.city, from, to, rows);
  }

  private void add(LogRecord log) {
    var key = log.cell().key();
    if (!key.columnName().equals("BASE")) {
      return;
    }
    try {
      var body = JSON.readTree(log.cell().body().toJson());
      var trip =
          new Trip(
              key.rowKey(),
              key.refKey(),
              body.path("driver_partner_uuid").asText(),
              body.path("city_uuid").asText(),
              Instant.parse(body.path("trip_created_at").asText()));
      trips.merge(trip.rowKey, trip, (a, b) -> a.refKey < b.refKey ? b : a);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
