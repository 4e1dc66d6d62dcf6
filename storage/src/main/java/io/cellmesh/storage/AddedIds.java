package io.cellmesh.storage;

import io.cellmesh.cell.EntitySchema;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Topology;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which added_ids a master gives out. Every epoch of a cluster has a range of its own in each
 * shard, so that a promoted minion gives out no id that a lost master can have given out, however
 * far behind it was.
 */
public final class AddedIds {
  /** Ids of one epoch in one shard; far more than a master can give out between two promotions. */
  public static final long PER_EPOCH = 1_000_000_000_000L;

  private final Topology topology;

  public AddedIds(Topology topology) {
    this.topology = topology;
  }

  /**
   * The first id that a promoted server may give out in a shard.
   *
   * @param epoch of the promotion, higher than every earlier one of the cluster
   * @param highest id that it has there; 0 if it has none
   */
  public static long first(int epoch, long highest) {
    return Math.max(epoch - 1, highest / PER_EPOCH + 1) * PER_EPOCH + 1;
  }

  /**
   * The lowest epoch whose ids are all higher than one that was given out, whoever knows it.
   *
   * @param id 0 or less if there is none
   */
  public static int epochBeyond(long id) {
    return id <= 0 ? 1 : Math.toIntExact((id - 1) / PER_EPOCH) + 2;
  }

  /**
   * The ids that a server gives out next, by the shards of a cluster; those are left out whose
   * table is missing.
   */
  public Map<Integer, Long> next(Connection connection, ShardSet shards) throws SQLException {
    var databases = new HashMap<String, Integer>();
    shards.stream()
        .forEach(shard -> databases.put(Names.database(topology.instance(), shard), shard));
    try (var statement = connection.createStatement()) {
      // The server would show figures up to a day old.
      statement.execute("SET SESSION information_schema_stats_expiry = 0");
      var next = new TreeMap<Integer, Long>();
      try (var rows =
          statement.executeQuery(
              "SELECT table_schema, auto_increment FROM information_schema.tables WHERE table_name = '%s'"
                  .formatted(EntitySchema.TABLE))) {
        while (rows.next()) {
          var shard = databases.get(rows.getString(1));
          if (shard != null) {
            // None was given out yet.
            next.put(shard, Math.max(1, rows.getLong(2)));
          }
        }
      }
      return next;
    }
  }

  /**
   * Lets a shard of the server at the other end go on with the ids of an epoch. It may be repeated
   * until the first cell is written. It stays out of the binlog: minions learn of ids by the rows.
   *
   * @param connection to a server that is open for administrators
   */
  public void jump(Connection connection, int shard, int epoch) throws SQLException {
    var table = Names.database(topology.instance(), shard) + "." + EntitySchema.TABLE;
    try (var statement = connection.createStatement()) {
      long highest;
      try (var row = statement.executeQuery("SELECT MAX(added_id) FROM " + table)) {
        row.next();
        highest = row.getLong(1);
      }
      statement.execute("SET SESSION sql_log_bin = OFF");
      try {
        statement.execute(
            "ALTER TABLE %s AUTO_INCREMENT = %d".formatted(table, first(epoch, highest)));
      } finally {
        statement.execute("SET SESSION sql_log_bin = ON");
      }
    }
  }
}
