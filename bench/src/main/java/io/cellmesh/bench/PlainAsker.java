package io.cellmesh.bench;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.storage.index.IndexReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Asks the masters by plain JDBC, as an application does that knows where each shard is, and reads
 * the bodies as JSON. Pages are read by the library that the worker reads them with.
 */
final class PlainAsker implements Asker {
  private final Topology topology;
  private final IndexReader index;
  private final Map<StorageCluster, Connection> masters = new HashMap<>();

  PlainAsker(Topology topology, IndexReader index) throws SQLException {
    this.topology = topology;
    this.index = index;
    for (var cluster : topology.clusters()) {
      masters.put(
          cluster,
          DriverManager.getConnection(
              "jdbc:mysql://%s/?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true"
                  .formatted(cluster.master().address())));
    }
  }

  @Override
  public void ask(Question question, int number) throws SQLException {
    if (question == Question.PAGE) {
      check(
          index.page(IndexQueries.query(IndexQueries.driver(number))).hits().size(),
          IndexQueries.ENTRIES_A_DRIVER);
      return;
    }
    var row = WorkerRows.row(number);
    switch (question) {
      case CELL -> check(cells(row, " AND column_name = 'BASE' AND ref_key = 1"), 1);
      case LATEST ->
          check(cells(row, " AND column_name = 'BASE' ORDER BY ref_key DESC LIMIT 1"), 1);
      default -> check(cells(row, " ORDER BY column_name, ref_key"), WorkerRows.CELLS_A_ROW);
    }
  }

  @Override
  public void close() throws SQLException {
    for (var master : masters.values()) {
      master.close();
    }
  }

  private int cells(UUID row, String condition) throws SQLException {
    int shard = topology.shards().of(row);
    var sql =
        "SELECT added_id, row_key, column_name, ref_key, body, origin, origin_id, created_at FROM "
            + Names.database(topology.instance(), shard)
            + ".entity WHERE row_key = ?"
            + condition;
    int found = 0;
    try (var query = masters.get(topology.clusterOf(shard)).prepareStatement(sql)) {
      query.setBytes(1, UuidBytes.of(row));
      try (var rows = query.executeQuery()) {
        while (rows.next()) {
          found += Body.ofStored(rows.getBytes(5)).toJson().isEmpty() ? 0 : 1;
        }
      }
    }
    return found;
  }

  private static void check(int found, int wanted) {
    if (found != wanted) {
      throw new IllegalStateException("%d found instead of %d".formatted(found, wanted));
    }
  }
}
