package io.cellmesh.storage;

import io.cellmesh.cell.EntitySchema;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Creates an instance on its clusters' masters. What exists is left alone, so that an interrupted
 * creation goes on where it was when it is called again; the row in {@code instance} comes last.
 */
public final class InstanceSchema {
  private static final List<String> META_TABLES =
      List.of(
          """
          CREATE TABLE IF NOT EXISTS position (
            partition_no INT UNSIGNED NOT NULL PRIMARY KEY,
            cells_next BIGINT UNSIGNED NOT NULL DEFAULT 0,
            cells_digest BIGINT NOT NULL DEFAULT 0,
            mesh_next BIGINT UNSIGNED NOT NULL DEFAULT 0,
            mesh_digest BIGINT NOT NULL DEFAULT 0
          ) ENGINE=InnoDB""",
          """
          CREATE TABLE IF NOT EXISTS buffer (
            id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
            primary_cluster VARCHAR(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
            topic_kind ENUM('cells','mesh') NOT NULL,
            partition_no INT UNSIGNED NOT NULL,
            previous_next BIGINT UNSIGNED NOT NULL,
            next_offset BIGINT UNSIGNED NOT NULL,
            next_digest BIGINT NOT NULL,
            cells INT UNSIGNED NOT NULL,
            bytes INT UNSIGNED NOT NULL,
            batch LONGBLOB NOT NULL,
            epoch INT UNSIGNED NOT NULL,
            written_at DATETIME(6) NOT NULL,
            KEY reach (primary_cluster, partition_no, topic_kind, next_offset)
          ) ENGINE=InnoDB""",
          """
          CREATE TABLE IF NOT EXISTS epoch (
            cluster VARCHAR(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
            epoch INT UNSIGNED NOT NULL
          ) ENGINE=InnoDB""",
          """
          CREATE TABLE IF NOT EXISTS instance (
            name VARCHAR(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
            shards INT UNSIGNED NOT NULL,
            partitions INT UNSIGNED NOT NULL,
            datacenter VARCHAR(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
            cluster VARCHAR(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
            created_gtids LONGTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
            created_at DATETIME(6) NOT NULL,
            schema_version INT UNSIGNED NOT NULL DEFAULT 1,
            made_by VARCHAR(64) NOT NULL DEFAULT ''
          ) ENGINE=InnoDB""",
          ConflictTable.CREATE_TABLE);

  private final Topology topology;
  private final Pools pools;

  public InstanceSchema(Topology topology, Pools pools) {
    this.topology = topology;
    this.pools = pools;
  }

  /** Hears how far a creation is; called from several threads. */
  @FunctionalInterface
  public interface CreationListener {
    /** So many shards have been made since the last call. */
    void made(int shards);

    /** So many shards were there when it began. */
    default void found(int shards) {
      made(shards);
    }
  }

  /**
   * Creates what is missing on one cluster's master, over all connections that the pool has.
   *
   * @throws TopologyMismatchException if the instance exists there with other fixed values
   * @throws SchemaVersionException if it exists there with other tables than this program's
   */
  public void create(StorageCluster cluster, CreationListener listener) throws SQLException {
    var missing = new TreeSet<>(cluster.shards().stream().boxed().toList());
    try (var connection = pools.open(cluster.master())) {
      if (InstanceTable.exists(connection, topology)) {
        InstanceTable.check(connection, topology, cluster);
        listener.found(missing.size());
        return;
      }
      createDatabase(connection, Names.metaDatabase(topology.instance()), META_TABLES);
      fillMeta(connection);
      var existing = existing(connection);
      missing.removeIf(shard -> existing.contains(Names.database(topology.instance(), shard)));
      listener.found((int) cluster.shards().stream().count() - missing.size());
    }
    ShardRun.run(
        pools,
        cluster.master(),
        missing,
        (connection, shard) -> {
          var database = Names.database(topology.instance(), shard);
          createDatabase(connection, database, List.of(EntitySchema.CREATE_TABLE));
          listener.made(1);
        });
    try (var connection = pools.open(cluster.master())) {
      InstanceTable.insert(connection, topology, cluster);
    }
  }

  /** The databases that have an entity table: asked for once, since a shard at a time is slow. */
  private static Set<String> existing(Connection connection) throws SQLException {
    var databases = new HashSet<String>();
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT table_schema FROM information_schema.tables WHERE table_name = 'entity'")) {
      while (rows.next()) {
        databases.add(rows.getString(1));
      }
    }
    return databases;
  }

  /** Makes the database the connection's own, too. */
  private static void createDatabase(Connection connection, String database, List<String> tables)
      throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE IF NOT EXISTS " + database);
    }
    connection.setCatalog(database);
    try (var statement = connection.createStatement()) {
      for (var table : tables) {
        statement.execute(table);
      }
    }
  }

  private void fillMeta(Connection connection) throws SQLException {
    try (var position =
            connection.prepareStatement(
                "INSERT INTO position (partition_no) VALUES (?) ON DUPLICATE KEY UPDATE partition_no = partition_no");
        var epoch =
            connection.prepareStatement(
                "INSERT INTO epoch (cluster, epoch) VALUES (?, ?) ON DUPLICATE KEY UPDATE epoch = epoch.epoch")) {
      for (int partition = 0; partition < topology.shards().partitions(); partition++) {
        position.setInt(1, partition);
        position.executeUpdate();
      }
      for (var cluster : topology.clusters()) {
        epoch.setString(1, cluster.name());
        epoch.setInt(2, cluster.epoch());
        epoch.executeUpdate();
      }
    }
  }
}
