package io.cellmesh.worker.status;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.worker.status.StatusView.CellStand;
import io.cellmesh.worker.status.StatusView.PlaceFound;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What one place was found to hold of a row.
 *
 * @param records cells with their places in the tables
 * @param unplaced cells that have none yet
 */
record RowPlace(PlaceFound found, Cells cells, List<LogRecord> records, List<Unplaced> unplaced) {
  /** Most characters of a body that are shown. */
  private static final int LONGEST = 64 << 10;

  /** Most cells that are shown: column by column, the newest first. */
  private static final int MOST_CELLS = 1_000;

  private static final Comparator<CellKey> ORDER =
      Comparator.comparing(CellKey::columnName)
          .thenComparing(Comparator.comparingLong(CellKey::refKey).reversed());

  /** A cell of a copy. */
  record Unplaced(Cell cell) {}

  /** Whether a place has a cell. */
  @FunctionalInterface
  interface Cells {
    Cells NONE = (key, record) -> "no";
    Cells UNKNOWN = (key, record) -> "unknown";

    /**
     * @param record of it in the tables; empty if it is in none that was asked
     * @return yes, no or unknown
     */
    String stand(CellKey key, Optional<LogRecord> record);
  }

  static RowPlace notAsked(String id, String kind, String name, String why) {
    return new RowPlace(
        new PlaceFound(id, kind, name, false, why), Cells.UNKNOWN, List.of(), List.of());
  }

  static RowPlace of(String id, String kind, String name, String note, Cells cells) {
    return new RowPlace(new PlaceFound(id, kind, name, true, note), cells, List.of(), List.of());
  }

  static RowPlace entity(String id, String name, String note, List<LogRecord> records) {
    return holding(id, "entity", name, note, records);
  }

  static RowPlace peer(String id, String name, String note, List<LogRecord> records) {
    var place = holding(id, "peer", name, note, records);
    // Its added_ids and times are of its own tables.
    return new RowPlace(
        place.found,
        place.cells,
        List.of(),
        records.stream().map(record -> new Unplaced(record.cell())).toList());
  }

  RowPlace with(List<Unplaced> others) {
    return new RowPlace(found, cells, records, others);
  }

  private static RowPlace holding(
      String id, String kind, String name, String note, List<LogRecord> records) {
    var keys = records.stream().map(record -> record.cell().key()).collect(Collectors.toSet());
    return new RowPlace(
        new PlaceFound(id, kind, name, true, note),
        (key, record) -> keys.contains(key) ? "yes" : "no",
        records,
        List.of());
  }

  /** Every cell that any place has, and where each stands. */
  static StatusView.Row together(
      UUID row,
      int shard,
      int partition,
      String cluster,
      Optional<String> position,
      List<RowPlace> places) {
    var cells = new TreeMap<CellKey, Cell>(ORDER);
    var records = new HashMap<CellKey, LogRecord>();
    for (var place : places) {
      for (var record : place.records) {
        cells.putIfAbsent(record.cell().key(), record.cell());
        records.putIfAbsent(record.cell().key(), record);
      }
      place.unplaced.forEach(held -> cells.putIfAbsent(held.cell().key(), held.cell()));
    }
    var latest = latest(cells.keySet());
    var stands =
        cells.values().stream()
            .limit(MOST_CELLS)
            .map(cell -> stand(cell, Optional.ofNullable(records.get(cell.key())), places, latest))
            .toList();
    return new StatusView.Row(
        row,
        shard,
        partition,
        cluster,
        position,
        cells.size(),
        places.stream().map(RowPlace::found).toList(),
        stands);
  }

  private static Set<CellKey> latest(Set<CellKey> keys) {
    var latest = new HashMap<String, CellKey>();
    keys.forEach(
        key -> latest.merge(key.columnName(), key, (a, b) -> a.refKey() > b.refKey() ? a : b));
    return Set.copyOf(latest.values());
  }

  private static CellStand stand(
      Cell cell, Optional<LogRecord> record, List<RowPlace> places, Set<CellKey> latest) {
    Map<String, String> stands = new LinkedHashMap<>();
    for (var place : places) {
      stands.put(
          place.found.id(),
          place.found.asked() ? place.cells.stand(cell.key(), record) : "unknown");
    }
    return new CellStand(
        cell.key().columnName(),
        Long.toString(cell.key().refKey()),
        latest.contains(cell.key()),
        record.map(LogRecord::addedId),
        record.map(LogRecord::createdAt),
        cell.origin().map(origin -> origin.datacenter()),
        shown(cell.body()),
        stands);
  }

  /** A damaged one hides no other cell. */
  private static String shown(Body body) {
    try {
      return shortened(body.toJson());
    } catch (IllegalStateException e) {
      return "damaged: " + e.getMessage();
    }
  }

  private static String shortened(String json) {
    return json.length() <= LONGEST
        ? json
        : json.substring(0, json.offsetByCodePoints(0, LONGEST / 2))
            + "… (%d characters in all)".formatted(json.length());
  }
}
