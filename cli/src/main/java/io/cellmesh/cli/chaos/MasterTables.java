package io.cellmesh.e2e.faults;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.devstack.MySqlServer;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** What the masters hold. */
final class Tables {
  private final FaultStack stack;
  private final Topology topology;

  Tables(FaultStack stack) {
    this.stack = stack;
    this.topology = stack.topology();
  }

  /** The cells of a row: how many, and the highest ref_key. */
  record Row(long count, long last) {}

  /** The given rows, as far as they have cells. */
  Map<UUID, Row> rows(Collection<UUID> keys) throws SQLException {
    var byShard = keys.stream().collect(Collectors.groupingBy(topology.shards()::of));
    var found = new HashMap<UUID, Row>();
    for (var cluster : topology.clusters()) {
      var union =
          byShard.entrySet().stream()
              .filter(entry -> cluster.shards().contains(entry.getKey()))
              .map(entry -> rowsOf(entry.getKey(), entry.getValue()))
              .collect(Collectors.joining(" UNION ALL "));
      select(
          stack.master(cluster.name()),
          union,
          row ->
              found.put(
                  UUID.fromString(row.getString(1)), new Row(row.getLong(2), row.getLong(3))));
    }
    return found;
  }

  /** The highest added_id of each shard that has cells. */
  TreeMap<Integer, Long> lastAddedIds() throws SQLException {
    var last = new TreeMap<Integer, Long>();
    for (var cluster : topology.clusters()) {
      var union =
          cluster.shards().stream()
              .mapToObj(
                  shard ->
                      "SELECT %d, MAX(added_id) FROM %s.entity"
                          .formatted(shard, Names.database(topology.instance(), shard)))
              .collect(Collectors.joining(" UNION ALL "));
      select(
          stack.master(cluster.name()),
          union,
          row -> {
            if (row.getLong(2) > 0) {
              last.put(row.getInt(1), row.getLong(2));
            }
          });
    }
    return last;
  }

  /** Copies in the buffers of all masters that run. */
  long copies() {
    return buffered("COUNT(*)", "1 = 1");
  }

  /** Cells that wait for a primary in the buffers of all masters that run. */
  long cellsFor(String primary) {
    return buffered("COALESCE(SUM(cells), 0)", "primary_cluster = '" + primary + "'");
  }

  private long buffered(String what, String condition) {
    return stack.masters().stream()
        .filter(MySqlServer::isAlive)
        .mapToLong(
            master ->
                Long.parseLong(
                    master.query(
                        "SELECT %s FROM trips_meta.buffer WHERE %s".formatted(what, condition))))
        .sum();
  }

  private String rowsOf(int shard, Collection<UUID> keys) {
    var list =
        keys.stream().map(key -> "UUID_TO_BIN('" + key + "')").collect(Collectors.joining(","));
    return "SELECT BIN_TO_UUID(row_key), COUNT(*), MAX(ref_key) FROM %s.entity WHERE row_key IN (%s) GROUP BY row_key"
        .formatted(Names.database(topology.instance(), shard), list);
  }

  private static void select(MySqlServer server, String sql, RowReader reader) throws SQLException {
    if (sql.isEmpty()) {
      return;
    }
    try (var connection = server.connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        reader.read(rows);
      }
    }
  }

  @FunctionalInterface
  private interface RowReader {
    void read(java.sql.ResultSet row) throws SQLException;
  }
}
