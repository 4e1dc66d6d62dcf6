package io.cellmesh.index;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.index.IndexColumn;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Random cells of a few rows and columns, and, without any code of the indexes, the entries that
 * they give: each value is drawn together with what an index must make of it.
 */
record RandomCells(List<Drawn> cells) {
  private static final int CELLS = 24;

  private static final Value NULL = fits("null", null);

  /** What the fields of a column may be in a body; one that is missing gives no value, either. */
  private static final Map<String, Map<String, List<Value>>> FIELDS =
      Map.of(
          "BASE",
          Map.of(
              "driver",
              List.of(
                  fits("\"a\"", "a"), fits("\"b\"", "b"), fits("\"c\"", "c"), NULL, misfit("7")),
              "city",
              List.of(fits("1", "1"), fits("2.0", "2"), fits("2", "2"), NULL, misfit("\"x\"")),
              "fare",
              List.of(
                  fits("{\"amount\":12.50}", "12.5"),
                  fits("{\"amount\":\"3\"}", "3"),
                  fits("{}", null),
                  NULL,
                  misfit("[]"))),
          "STATUS",
          Map.of("state", List.of(fits("\"x\"", "x"), fits("\"y\"", "y"), NULL, misfit("true"))),
          "RATING",
          Map.of("stars", List.of(fits("5", "5"), fits("-1e2", "-100"), NULL, misfit("0.5"))),
          "NOTES",
          Map.of("driver", List.of(fits("\"nobody looks\"", "nobody looks"))));

  /**
   * @param json null if the field is missing
   * @param canonical what stands in an entry
   */
  private record Value(String json, String canonical, boolean fits) {}

  /** A cell and its fields. */
  record Drawn(Cell cell, Map<String, Value> fields) {
    /** Whether it counts for an index that takes these fields. */
    private boolean counts(IndexColumn column) {
      return cell.key().columnName().equals(column.columnKey())
          && column.fields().stream().allMatch(f -> fields.get(f.path().get(0)).fits());
    }
  }

  static RandomCells of(Random random) throws InvalidCellException {
    var rows = new ArrayList<UUID>();
    for (int i = 0; i < 3; i++) {
      rows.add(new UUID(random.nextLong(), random.nextLong()));
    }
    var cells = new LinkedHashMap<CellKey, Drawn>();
    for (int i = 0; i < CELLS; i++) {
      var column =
          List.of("BASE", "BASE", "BASE", "STATUS", "RATING", "NOTES").get(random.nextInt(6));
      var key = new CellKey(rows.get(random.nextInt(3)), column, random.nextInt(8) - 3L);
      cells.put(key, draw(key, random));
    }
    return new RandomCells(List.copyOf(cells.values()));
  }

  /** By the key that an entry has in its topic. */
  Map<String, IndexEntry> entries(IndexDefinition definition) {
    var entries = new HashMap<String, IndexEntry>();
    cells.stream()
        .map(c -> c.cell().key().rowKey())
        .distinct()
        .flatMap(row -> entry(definition, row).stream())
        .forEach(e -> entries.put(e.shardValue() + '/' + e.rowKey(), e));
    return entries;
  }

  private Optional<IndexEntry> entry(IndexDefinition definition, UUID row) {
    var versions = new ArrayList<Long>();
    var values = new ArrayList<String>();
    for (var column : definition.columns()) {
      Drawn latest = null;
      for (var drawn : cells) {
        if (drawn.cell().key().rowKey().equals(row) && drawn.counts(column)) {
          boolean later =
              latest == null || drawn.cell().key().refKey() > latest.cell().key().refKey();
          latest = later ? drawn : latest;
        }
      }
      versions.add(latest == null ? null : latest.cell().key().refKey());
      for (var field : column.fields()) {
        values.add(latest == null ? null : latest.fields().get(field.path().get(0)).canonical());
      }
    }
    return values.get(0) == null
        ? Optional.empty()
        : Optional.of(new IndexEntry(row, versions, values, false));
  }

  private static Drawn draw(CellKey key, Random random) throws InvalidCellException {
    var fields = new HashMap<String, Value>();
    var json = new ArrayList<String>();
    new TreeMap<>(FIELDS.get(key.columnName()))
        .forEach(
            (name, values) -> {
              int which = random.nextInt(values.size() + 1);
              var value = which < values.size() ? values.get(which) : new Value(null, null, true);
              fields.put(name, value);
              if (value.json() != null) {
                json.add("\"%s\":%s".formatted(name, value.json()));
              }
            });
    // Tells the bodies apart, so that a cell is never mistaken for another.
    json.add("\"n\":" + random.nextInt());
    var body = Body.ofJson("{" + String.join(",", json) + "}");
    return new Drawn(new Cell(key, body, Optional.of(new Origin("dc1", 1))), fields);
  }

  private static Value fits(String json, String canonical) {
    return new Value(json, canonical, true);
  }

  private static Value misfit(String json) {
    return new Value(json, null, false);
  }
}
