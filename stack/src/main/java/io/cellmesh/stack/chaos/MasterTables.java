package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.devstack.MySqlServer;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the masters hold. */
public final class MasterTables {
  private final Topology topology;
  private final Function<String, MySqlServer> masters;

  /**
   * @param masters the master of a cluster, by the cluster's name, at the time of asking
   */
  public MasterTables(Topology topology, Function<String, MySqlServer> masters) {
    this.topology = topology;
    this.masters = masters;
  }

  /** The cells of a row: how many, and the highest ref_key. */
  public record Row(long count, long last) {}

  /** The given rows, as far as they have cells. */
  public Map<UUID, Row> rows(Collection<UUID> keys) throws SQLException {
    var byShard = keys.stream().collect(Collectors.groupingBy(topology.shards()::of));
    var found = new HashMap<UUID, Row>();
    for (var cluster : topology.clusters()) {
      var union =
          byShard.entrySet().stream()
              .filter(entry -> cluster.shards().contains(entry.getKey()))
              .map(entry -> rowsOf(entry.getKey(), entry.getValue()))
              .collect(Collectors.joining(" UNION ALL "));
      select(
          masters.apply(cluster.name()),
          union,
          row ->
              found.put(
                  UUID.fromString(row.getString(1)), new Row(row.getLong(2), row.getLong(3))));
    }
    return found;
  }

  /** The highest added_id of each shard that has cells. */
  public TreeMap<Integer, Long> lastAddedIds() throws SQLException {
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
          masters.apply(cluster.name()),
          union,
          row -> {
            if (row.getLong(2) > 0) {
              last.put(row.getInt(1), row.getLong(2));
            }
          });
    }
    return last;
  }

  /**
   * The youngest copy in the buffer of each master, by cluster; copies that are younger come later
   * than this call.
   */
  Map<String, Long> youngestCopies() {
    return copies("MAX");
  }

  /** Whether all copies are gone that were there at a time. */
  boolean areGone(Map<String, Long> youngest) {
    return copies("MIN").entrySet().stream()
        .allMatch(
            oldest ->
                oldest.getValue() == 0
                    || oldest.getValue() > youngest.getOrDefault(oldest.getKey(), 0L));
  }

  private Map<String, Long> copies(String function) {
    return topology.clusters().stream()
        .collect(
            Collectors.toMap(
                StorageCluster::name,
                cluster ->
                    Long.parseLong(
                        masters
                            .apply(cluster.name())
                            .query(
                                "SELECT COALESCE(%s(id), 0) FROM %s.buffer"
                                    .formatted(
                                        function, Names.metaDatabase(topology.instance()))))));
  }

  /** Copies in the buffers of all masters that run. */
  public long copies() {
    return buffered("COUNT(*)", "1 = 1");
  }

  /** Cells that wait for a primary in the buffers of all masters that run. */
  public long cellsFor(String primary) {
    return buffered("COALESCE(SUM(cells), 0)", "primary_cluster = '" + primary + "'");
  }

  private long buffered(String what, String condition) {
    return topology.clusters().stream()
        .map(cluster -> masters.apply(cluster.name()))
        .filter(MySqlServer::isAlive)
        .mapToLong(
            master ->
                Long.parseLong(
                    master.query(
                        "SELECT %s FROM %s.buffer WHERE %s"
                            .formatted(what, Names.metaDatabase(topology.instance()), condition))))
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
