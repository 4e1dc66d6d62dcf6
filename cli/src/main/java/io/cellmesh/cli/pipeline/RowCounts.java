package io.cellmesh.cli.pipeline;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How many entity rows a data centre has. */
public final class RowCounts {
  private RowCounts() {}

  /** The rows of all shards, counted on the masters. */
  public static long total(Topology topology, Pools pools) throws SQLException {
    return byShard(topology, pools).values().stream().mapToLong(Long::longValue).sum();
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
