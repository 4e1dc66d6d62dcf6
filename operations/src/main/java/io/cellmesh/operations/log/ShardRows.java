package io.cellmesh.operations.log;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.Pools;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How much a rebuild has to read of each shard, on the cluster's master: counted where that is
 * quick, else as the server estimates it.
 *
 * @param exact whether the rows were counted
 */
record ShardRows(Map<Integer, Size> shards, boolean exact) {
  /** Above it, counting would keep a person waiting. */
  private static final long COUNTED = 5_000_000;

  /** Tables that one statement names. */
  private static final int BATCH = 128;

  /**
   * One shard.
   *
   * @param rows how many
   * @param last the highest added_id
   */
  record Size(long rows, long last) {}

  ShardRows {
    shards = Map.copyOf(shards);
  }

  /** Of the shards of a cluster. */
  static ShardRows of(Pools pools, Topology topology, StorageCluster cluster) throws SQLException {
    try (var connection = pools.open(cluster.master())) {
      var estimates = estimates(connection, topology, cluster);
      boolean count = estimates.values().stream().mapToLong(Long::longValue).sum() <= COUNTED;
      var sizes = new TreeMap<Integer, Size>();
      var all = cluster.shards().stream().boxed().toList();
      for (int from = 0; from < all.size(); from += BATCH) {
        var batch = all.subList(from, Math.min(all.size(), from + BATCH));
        read(connection, topology, batch, count, estimates, sizes);
      }
      return new ShardRows(sizes, count);
    }
  }

  /** If nobody can say: each shard counts as one row. */
  static ShardRows unknown(StorageCluster cluster) {
    return new ShardRows(
        cluster.shards().stream().boxed().collect(Collectors.toMap(s -> s, s -> new Size(1, 0))),
        false);
  }

  Size of(int shard) {
    return shards.getOrDefault(shard, new Size(0, 0));
  }

  private static Map<Integer, Long> estimates(
      Connection connection, Topology topology, StorageCluster cluster) throws SQLException {
    var shards =
        cluster.shards().stream()
            .boxed()
            .collect(Collectors.toMap(s -> Names.database(topology.instance(), s), s -> s));
    var estimates = new TreeMap<Integer, Long>();
    try (var statement = connection.createStatement()) {
      // The server would show figures up to a day old.
      statement.execute("SET SESSION information_schema_stats_expiry = 0");
      try (var rows =
          statement.executeQuery(
              "SELECT table_schema, table_rows FROM information_schema.tables WHERE table_name = 'entity'")) {
        while (rows.next()) {
          var shard = shards.get(rows.getString(1));
          if (shard != null) {
            estimates.put(shard, rows.getLong(2));
          }
        }
      }
    }
    return estimates;
  }

  private static void read(
      Connection connection,
      Topology topology,
      List<Integer> batch,
      boolean count,
      Map<Integer, Long> estimates,
      Map<Integer, Size> sizes)
      throws SQLException {
    var terms = new ArrayList<String>();
    for (int shard : batch) {
      terms.add(
          "SELECT %d, %s, COALESCE(MAX(added_id), 0) FROM %s.entity"
              .formatted(
                  shard,
                  count ? "COUNT(*)" : estimates.getOrDefault(shard, 0L),
                  Names.database(topology.instance(), shard)));
    }
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(String.join(" UNION ALL ", terms))) {
      while (rows.next()) {
        sizes.put(rows.getInt(1), new Size(rows.getLong(2), rows.getLong(3)));
      }
    }
  }
}
