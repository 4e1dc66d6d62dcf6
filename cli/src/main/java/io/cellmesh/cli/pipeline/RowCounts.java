package io.cellmesh.cli.pipeline;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How many entity rows a data centre has, by their origin. */
public final class RowCounts {
  private RowCounts() {}

  /** Counts on the masters. */
  public static TreeMap<String, Long> byOrigin(Topology topology, Pools pools) throws SQLException {
    var counts = new TreeMap<String, Long>();
    for (var cluster : topology.clusters()) {
      var union =
          cluster.shards().stream()
              .mapToObj(
                  shard ->
                      "SELECT origin, COUNT(*) AS n FROM %s.entity GROUP BY origin"
                          .formatted(Names.database(topology.instance(), shard)))
              .collect(Collectors.joining(" UNION ALL "));
      try (var connection = pools.open(cluster.master());
          var statement = connection.createStatement();
          var rows =
              statement.executeQuery(
                  "SELECT origin, SUM(n) FROM (" + union + ") AS shards GROUP BY origin")) {
        while (rows.next()) {
          counts.merge(rows.getString(1), rows.getLong(2), Long::sum);
        }
      }
    }
    return counts;
  }

  /** Rows of each shard, counted on the masters. */
  public static TreeMap<Integer, Long> byShard(Topology topology, Pools pools) throws SQLException {
    var counts = new TreeMap<Integer, Long>();
    for (var cluster : topology.clusters()) {
      var union =
          cluster.shards().stream()
              .mapToObj(
                  shard ->
                      "SELECT %d AS shard, COUNT(*) AS n FROM %s.entity"
                          .formatted(shard, Names.database(topology.instance(), shard)))
              .collect(Collectors.joining(" UNION ALL "));
      try (var connection = pools.open(cluster.master());
          var statement = connection.createStatement();
          var rows = statement.executeQuery(union)) {
        while (rows.next()) {
          counts.put(rows.getInt(1), rows.getLong(2));
        }
      }
    }
    return counts;
  }
}
