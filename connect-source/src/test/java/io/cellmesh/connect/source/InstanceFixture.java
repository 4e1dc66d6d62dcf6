package io.cellmesh.connect.source;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.EntitySchema;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlCluster;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/** The instance "trips" on a storage cluster, and somebody who writes cells. */
final class InstanceFixture {
  private final MySqlServer master;
  private final ShardSet shards;
  private final Random random = new Random(20161);

  private InstanceFixture(MySqlServer master, ShardSet shards) {
    this.master = master;
    this.shards = shards;
  }

  /** A master and its minion, of the cluster c1 with eight shards, and nothing else. */
  static DevStack startServers(Path dir) {
    return DevStack.start(
        Options.defaults()
            .withStateDir(dir.resolve("stack"))
            .withInstance("trips", 8, 4)
            .withDatacenters(1)
            .withClusters(1)
            .withoutKafka(),
        Progress.silent());
  }

  static InstanceFixture create(MySqlCluster cluster) {
    var fixture = new InstanceFixture(cluster.master(), cluster.shards());
    fixture.createTables(cluster.name());
    return fixture;
  }

  /** Commits that many cells of the shard in one transaction. */
  void insert(int shard, int cells) throws SQLException {
    insert(shard, cells, "BASE");
  }

  /** As {@link #insert(int, int)}, of that column. */
  void insert(int shard, int cells, String column) throws SQLException {
    try (var connection = master.connect()) {
      connection.setCatalog(Names.database("trips", shard));
      connection.setAutoCommit(false);
      try (var insert =
          connection.prepareStatement(
              "INSERT INTO entity (row_key, column_name, ref_key, body, origin, created_at)"
                  + " VALUES (?, ?, ?, ?, 'dc1', UTC_TIMESTAMP(6))")) {
        for (int i = 0; i < cells; i++) {
          // The last byte is 0, which MySQL leaves out of a binlog.
          insert.setBytes(1, UuidBytes.of(new UUID(random.nextLong(), random.nextLong() << 8)));
          insert.setString(2, column);
          insert.setLong(3, random.nextLong());
          insert.setBytes(4, Body.ofJson("{\"fare\": 12.5}").stored());
          insert.addBatch();
        }
        insert.executeBatch();
      } catch (InvalidCellException e) {
        throw new AssertionError(e);
      }
      connection.commit();
    }
  }

  /** The rows that are there: the cell's key by shard and added_id. */
  Map<Place, String> rows() throws SQLException {
    return rows("%");
  }

  /**
   * The rows of columns whose names are like this.
   *
   * @param column as LIKE has it
   */
  Map<Place, String> rows(String column) throws SQLException {
    var rows = new TreeMap<Place, String>();
    try (var connection = master.connect();
        var statement = connection.createStatement()) {
      for (int shard : shards.stream().toArray()) {
        try (var row =
            statement.executeQuery(
                "SELECT added_id, BIN_TO_UUID(row_key), ref_key FROM `%s`.entity WHERE column_name LIKE '%s'"
                    .formatted(Names.database("trips", shard), column))) {
          while (row.next()) {
            rows.put(new Place(shard, row.getLong(1)), row.getString(2) + "/" + row.getLong(3));
          }
        }
      }
    }
    return rows;
  }

  private void createTables(String cluster) {
    for (int shard : shards.stream().toArray()) {
      var database = Names.database("trips", shard);
      master.execute(
          "CREATE DATABASE " + database,
          EntitySchema.CREATE_TABLE.replaceFirst(
              "EXISTS entity", "EXISTS " + database + ".entity"));
    }
    master.execute(
        "CREATE DATABASE trips_meta",
        "CREATE TABLE trips_meta.instance (name VARCHAR(48), cluster VARCHAR(48), created_gtids"
            + " LONGTEXT)",
        "INSERT INTO trips_meta.instance VALUES ('trips', '%s', @@GLOBAL.gtid_executed)"
            .formatted(cluster));
  }

  /** Where a cell stands. */
  record Place(int shard, long addedId) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      return shard == other.shard
          ? Long.compare(addedId, other.addedId)
          : Integer.compare(shard, other.shard);
    }
  }
}
