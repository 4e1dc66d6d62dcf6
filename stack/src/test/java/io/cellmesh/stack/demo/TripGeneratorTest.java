package io.cellmesh.stack.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.Cell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TripGeneratorTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void theSameSeedGivesTheSameCellsInTheSameOrder() {
    assertThat(text(cells(7, 50))).isEqualTo(text(cells(7, 50))).isNotEqualTo(text(cells(8, 50)));
  }

  @Test
  void aLongerLoadHasTheTripsOfAShorterOne() {
    assertThat(text(cells(7, 80))).containsAll(text(cells(7, 20)));
  }

  @Test
  void everyTripHasBaseAndStatusAndSomeHaveTheOtherColumnsAndVersions() {
    var cells = cells(1, 500);
    var columns = cells.stream().collect(Collectors.groupingBy(c -> c.key().columnName()));

    assertThat(columns.keySet())
        .containsExactlyInAnyOrder("BASE", "STATUS", "NOTES", "FARE_ADJUSTMENT");
    assertThat(rows(columns.get("BASE"))).hasSize(500).isEqualTo(rows(columns.get("STATUS")));
    assertThat(columns.get("BASE")).anyMatch(c -> c.key().refKey() == 2);
    assertThat(columns.get("STATUS")).anyMatch(c -> c.key().refKey() == 3);
    assertThat(columns.get("NOTES")).hasSizeBetween(50, 300);
  }

  @Test
  void noTwoCellsHaveOneKeyAndVersionsComeInTheirOrder() {
    var last = new HashMap<String, Long>();
    for (var cell : cells(3, 300)) {
      var column = cell.key().rowKey() + cell.key().columnName();
      assertThat(cell.key().refKey()).isEqualTo(last.getOrDefault(column, 0L) + 1);
      last.put(column, cell.key().refKey());
    }
  }

  @Test
  void theCellsOfManyTripsMix() {
    var rows = cells(5, 100).stream().map(c -> c.key().rowKey()).toList();
    var runs = new ArrayList<UUID>();
    rows.forEach(
        row -> {
          if (runs.isEmpty() || !runs.get(runs.size() - 1).equals(row)) {
            runs.add(row);
          }
        });

    assertThat(runs.size()).isGreaterThan(rows.size() * 8 / 10);
  }

  @Test
  void aDriverHasSeveralTripsAndStaysInOneCity() throws IOException {
    var cities = new HashMap<String, String>();
    var trips = new HashMap<String, Integer>();
    for (var cell : cells(2016, 500)) {
      if (cell.key().columnName().equals("BASE") && cell.key().refKey() == 1) {
        var base = json(cell);
        var driver = base.required("driver_partner_uuid").asText();
        var city = base.required("city_uuid").asText();
        assertThat(cities.getOrDefault(driver, city)).isEqualTo(city);
        cities.put(driver, city);
        trips.merge(driver, 1, Integer::sum);
      }
    }
    assertThat(trips.values()).anyMatch(n -> n >= 5);
    assertThat(new HashSet<>(cities.values())).hasSizeGreaterThan(3);
  }

  @Test
  void aBaseHasWhatTheIndexOfTheArticleNeeds() throws IOException {
    var base = json(cells(1, 1).get(0));

    assertThat(UUID.fromString(base.required("driver_partner_uuid").asText()).version())
        .isEqualTo(5);
    assertThat(base.required("trip_created_at").asText()).endsWith("Z");
    assertThat(base.required("fare").required("amount").isNumber()).isTrue();
    assertThat(base.required("fare").required("currency").asText()).hasSize(3);
  }

  private static JsonNode json(Cell cell) throws IOException {
    return JSON.readTree(cell.body().toJson());
  }

  private static HashSet<UUID> rows(List<Cell> cells) {
    return cells.stream().map(c -> c.key().rowKey()).collect(Collectors.toCollection(HashSet::new));
  }

  private static List<String> text(List<Cell> cells) {
    return cells.stream().map(c -> c.key() + c.body().toJson()).toList();
  }

  private static List<Cell> cells(long seed, int trips) {
    var cells = new ArrayList<Cell>();
    try (var generator = new TripGenerator(seed, 0, trips)) {
      for (var next = generator.next(); next.isPresent(); next = generator.next()) {
        cells.add(next.get());
      }
    }
    return cells;
  }
}
