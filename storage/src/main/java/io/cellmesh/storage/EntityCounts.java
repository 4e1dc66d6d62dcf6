package io.cellmesh.storage;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How many entity rows the shards of a cluster have, on its master: counted where that is quick,
 * else as the server estimates it.
 *
 * @param exact whether the rows were counted
 */
public record EntityCounts(Map<Integer, Size> shards, boolean exact) {
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
  public record Size(long rows, long last) {}

  public EntityCounts {
    shards = Map.copyOf(shards);
  }

  /** Counts the rows of every shard of a data centre, however long it takes. */
  public static TreeMap<Integer, Long> byShard(Topology topology, Pools pools) throws SQLException {
    var counts = new TreeMap<Integer, Long>();
    for (var cluster : topology.clusters()) {
      try (var connection = pools.open(cluster.master())) {
        sizes(connection, topology, cluster, Map.of())
            .forEach((shard, size) -> counts.put(shard, size.rows()));
      }
    }
    return counts;
  }

  /** Counts the rows of the shards of a cluster if there are few, or estimates them. */
  public static EntityCounts of(Pools pools, Topology topology, StorageCluster cluster)
      throws SQLException {
    try (var connection = pools.open(cluster.master())) {
      var estimates = estimates(connection, topology, cluster);
      boolean count = estimates.values().stream().mapToLong(Long::longValue).sum() <= COUNTED;
      return new EntityCounts(
          sizes(connection, topology, cluster, count ? Map.of() : estimates), count);
    }
  }

  /** If nobody can say: each shard counts as one row. */
  public static EntityCounts unknown(StorageCluster cluster) {
    return new EntityCounts(
        cluster.shards().stream().boxed().collect(Collectors.toMap(s -> s, s -> new Size(1, 0))),
        false);
  }

  /** The size of a shard; nothing if it is not one of the cluster's. */
  public Size of(int shard) {
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

  /**
   * @param estimates the rows of shards that are not counted
   */
  private static Map<Integer, Size> sizes(
      Connection connection,
      Topology topology,
      StorageCluster cluster,
      Map<Integer, Long> estimates)
      throws SQLException {
    var sizes = new TreeMap<Integer, Size>();
    var all = cluster.shards().stream().boxed().toList();
    for (int from = 0; from < all.size(); from += BATCH) {
      var batch = all.subList(from, Math.min(all.size(), from + BATCH));
      try (var statement = connection.createStatement();
          var rows = statement.executeQuery(union(topology, batch, estimates))) {
        while (rows.next()) {
          sizes.put(rows.getInt(1), new Size(rows.getLong(2), rows.getLong(3)));
        }
      }
    }
    return sizes;
  }

  private static String union(
      Topology topology, List<Integer> shards, Map<Integer, Long> estimates) {
    var terms = new ArrayList<String>();
    for (int shard : shards) {
      terms.add(
          "SELECT %d, %s, COALESCE(MAX(added_id), 0) FROM %s.entity"
              .formatted(
                  shard,
                  estimates.containsKey(shard) ? estimates.get(shard) : "COUNT(*)",
                  Names.database(topology.instance(), shard)));
    }
    return String.join(" UNION ALL ", terms);
  }
}
