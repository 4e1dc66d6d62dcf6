package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How many entity rows a data centre has. */
public final class EntityCounts {
  private EntityCounts() {}

  /** Tables that one statement names. */
  private static final int BATCH = 256;

  /** Rows of each shard, counted on the masters. */
  public static TreeMap<Integer, Long> byShard(Topology topology, Pools pools) throws SQLException {
    var counts = new TreeMap<Integer, Long>();
    for (var cluster : topology.clusters()) {
      var shards = cluster.shards().stream().boxed().toList();
      try (var connection = pools.open(cluster.master())) {
        for (int from = 0; from < shards.size(); from += BATCH) {
          var batch = shards.subList(from, Math.min(shards.size(), from + BATCH));
          count(connection, topology, batch, counts);
        }
      }
    }
    return counts;
  }

  private static void count(
      Connection connection, Topology topology, List<Integer> shards, Map<Integer, Long> counts)
      throws SQLException {
    var union =
        shards.stream()
            .map(
                shard ->
                    "SELECT %d AS shard, COUNT(*) AS n FROM %s.entity"
                        .formatted(shard, Names.database(topology.instance(), shard)))
            .collect(Collectors.joining(" UNION ALL "));
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(union)) {
      while (rows.next()) {
        counts.put(rows.getInt(1), rows.getLong(2));
      }
    }
  }
}
