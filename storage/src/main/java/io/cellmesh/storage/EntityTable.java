package io.cellmesh.storage;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.UuidBytes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Inserts cells into the entity tables. An insert that meets the same key is a no-op update: it
 * leaves the row and the binlog alone, yet hides no error as INSERT IGNORE would (invariant 3).
 */
public final class EntityTable {
  /**
   * Any column but added_id: MySQL refuses (1869) an assignment to an auto-increment column where
   * the key was first inserted by the same statement.
   */
  private static final String NOTHING_ON_DUPLICATE = " ON DUPLICATE KEY UPDATE origin = origin";

  private final Topology topology;

  public EntityTable(Topology topology) {
    this.topology = topology;
  }

  /**
   * Adds the statement that inserts cells of one shard, in their order; of two with one key the
   * first is the one stored. It affects a row for each cell that is stored, and none for others.
   */
  void insert(Script script, int shard, List<OffsetCell> cells) {
    script
        .sql("INSERT INTO ")
        .sql(table(shard))
        .sql(" (row_key, column_name, ref_key, body, origin, origin_id, created_at) VALUES ");
    var separator = "(";
    for (var entry : cells) {
      var cell = entry.cell();
      script.sql(separator).bytes(UuidBytes.of(cell.key().rowKey()));
      script.sql(",").text(cell.key().columnName());
      script.sql(",").number(cell.key().refKey());
      script.sql(",").bytes(cell.body().stored()).sql(",");
      if (cell.origin().isPresent()) {
        script.text(cell.origin().get().datacenter());
        script.sql(",").number(cell.origin().get().id());
      } else {
        script.text(topology.datacenter()).sql(",NULL");
      }
      separator = ",UTC_TIMESTAMP(6)),(";
    }
    script.sql(",UTC_TIMESTAMP(6))").sql(NOTHING_ON_DUPLICATE);
  }

  /** Some keys were there already: tells equal bodies from conflicts. */
  Outcome compare(Connection connection, int shard, List<OffsetCell> cells, int stored)
      throws SQLException {
    var bodies = bodies(connection, shard, cells);
    var conflicts = new ArrayList<Conflict>();
    for (var entry : cells) {
      var body = bodies.get(entry.cell().key());
      if (body == null) {
        throw new SQLException("the cell " + entry.cell().key() + " was inserted and is not there");
      }
      if (!body.sameAs(entry.cell().body())) {
        conflicts.add(new Conflict(entry, body.digest(), entry.cell().body().digest()));
      }
    }
    return new Outcome(stored, cells.size() - stored - conflicts.size(), conflicts);
  }

  private Map<CellKey, Body> bodies(Connection connection, int shard, List<OffsetCell> cells)
      throws SQLException {
    var sql =
        "SELECT row_key, column_name, ref_key, body FROM "
            + table(shard)
            + " WHERE (row_key, column_name, ref_key) IN ("
            + String.join(",", Collections.nCopies(cells.size(), "(?,?,?)"))
            + ")";
    try (var query = connection.prepareStatement(sql)) {
      int index = 0;
      for (var entry : cells) {
        Cell cell = entry.cell();
        query.setBytes(++index, UuidBytes.of(cell.key().rowKey()));
        query.setString(++index, cell.key().columnName());
        query.setLong(++index, cell.key().refKey());
      }
      var bodies = new HashMap<CellKey, Body>();
      try (var rows = query.executeQuery()) {
        while (rows.next()) {
          var key =
              new CellKey(UuidBytes.read(rows.getBytes(1)), rows.getString(2), rows.getLong(3));
          bodies.put(key, Body.ofStored(rows.getBytes(4)));
        }
      }
      return bodies;
    }
  }

  private String table(int shard) {
    return Names.database(topology.instance(), shard) + ".entity";
  }

  /**
   * What became of cells.
   *
   * @param stored new rows
   * @param duplicates cells whose key was there with an equal body
   * @param conflicts cells whose key was there with another body
   */
  public record Outcome(int stored, int duplicates, List<Conflict> conflicts) {
    static final Outcome NONE = new Outcome(0, 0, List.of());

    public Outcome {
      conflicts = List.copyOf(conflicts);
    }

    public Outcome plus(Outcome other) {
      var all = new ArrayList<>(conflicts);
      all.addAll(other.conflicts);
      return new Outcome(stored + other.stored, duplicates + other.duplicates, all);
    }
  }

  /**
   * A cell that came second.
   *
   * @param kept digest of the body that stays
   * @param refused digest of the body that came second
   */
  public record Conflict(OffsetCell cell, String kept, String refused) {
    /** The reason to report: the key, the rule and both digests, never a body. */
    public String reason() {
      return "body: the cell %s exists with another body; kept sha256:%s, refused sha256:%s"
          .formatted(cell.cell().key(), kept, refused);
    }
  }
}
