package io.cellmesh.storage;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.UuidBytes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Statements on the entity tables: cells are inserted and looked up, and never changed. */
public final class EntityTable {
  private final Topology topology;

  public EntityTable(Topology topology) {
    this.topology = topology;
  }

  /** Adds the statement that inserts cells of one shard, in their order; their keys are free. */
  void insert(Script script, int shard, List<OffsetCell> cells) {
    script
        .sql("INSERT INTO ")
        .sql(table(shard))
        .sql(" (row_key, column_name, ref_key, body, origin, origin_id, created_at) VALUES ");
    var separator = "";
    for (var entry : cells) {
      var cell = entry.cell();
      script.sql(separator);
      key(script, cell.key());
      script.sql(",").bytes(cell.body().stored()).sql(",");
      if (cell.origin().isPresent()) {
        script.text(cell.origin().get().datacenter());
        script.sql(",").number(cell.origin().get().id());
      } else {
        script.text(topology.datacenter()).sql(",NULL");
      }
      separator = ",UTC_TIMESTAMP(6)),";
    }
    script.sql(",UTC_TIMESTAMP(6))");
  }

  /** Adds the statement that looks which of some cells' keys a shard has, and with what. */
  void select(Script script, int shard, List<OffsetCell> cells) {
    script
        .sql("SELECT row_key, column_name, ref_key, body, origin FROM ")
        .sql(table(shard))
        .sql(" WHERE (row_key, column_name, ref_key) IN (");
    var separator = "";
    for (var entry : cells) {
      script.sql(separator);
      key(script, entry.cell().key());
      separator = "),";
    }
    script.sql("))");
  }

  /** Reads what {@link #select} found. */
  static void read(ResultSet rows, Map<CellKey, Kept> kept) throws SQLException {
    while (rows.next()) {
      kept.put(
          new CellKey(UuidBytes.read(rows.getBytes(1)), rows.getString(2), rows.getLong(3)),
          new Kept(Body.ofStored(rows.getBytes(4)), rows.getString(5)));
    }
  }

  /** A cell as the table would have it. */
  Kept asKept(Cell cell) {
    return new Kept(
        cell.body(), cell.origin().map(Origin::datacenter).orElse(topology.datacenter()));
  }

  /** An opening parenthesis and the columns of a key. */
  private static void key(Script script, CellKey key) {
    script.sql("(").bytes(UuidBytes.of(key.rowKey()));
    script.sql(",").text(key.columnName());
    script.sql(",").number(key.refKey());
  }

  private String table(int shard) {
    return Names.database(topology.instance(), shard) + ".entity";
  }

  /**
   * What the table has under a key.
   *
   * @param origin data centre where it was first written
   */
  record Kept(Body body, String origin) {}

  /**
   * What became of cells.
   *
   * @param stored new rows
   * @param duplicates cells whose key was there with an equal body
   * @param conflicts cells whose key was there with another body
   * @param misfits cells with a value that the database refuses
   */
  public record Outcome(int stored, int duplicates, List<Decision> conflicts, int misfits) {
    public Outcome {
      conflicts = List.copyOf(conflicts);
    }
  }
}
