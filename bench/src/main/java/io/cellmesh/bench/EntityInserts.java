package io.cellmesh.bench;

import io.cellmesh.cell.EntitySchema;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.storage.Script;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * A connection that brings cells into the entity tables without the sink, in single round trips as
 * the sink does. For one thread.
 */
final class EntityInserts implements AutoCloseable {
  private final Topology topology;
  private final Connection connection;

  EntityInserts(Topology topology, MySqlServer master) throws SQLException {
    this.topology = topology;
    // Without the last one the driver asks before each statement whether the session may write.
    this.connection =
        DriverManager.getConnection(
            "jdbc:mysql://%s:%d/?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true&allowMultiQueries=true&useLocalSessionState=true"
                .formatted(master.host(), master.port()));
  }

  /** A transaction of one row; returns once it is committed. */
  void insert(EntityRow row) throws SQLException {
    var script = new Script();
    append(script, row.shard(), List.of(row));
    script.execute(connection);
  }

  /** One transaction, with one statement a shard as the sink has it; returns once committed. */
  void insert(Collection<EntityRow> rows) throws SQLException {
    var shards = new TreeMap<Integer, List<EntityRow>>();
    rows.forEach(row -> shards.computeIfAbsent(row.shard(), s -> new ArrayList<>()).add(row));
    var script = new Script().sql("START TRANSACTION;");
    shards.forEach(
        (shard, some) -> {
          append(script, shard, some);
          script.sql(";");
        });
    script.sql("COMMIT").execute(connection);
  }

  private void append(Script script, int shard, List<EntityRow> rows) {
    script
        .sql("INSERT INTO ")
        .sql(Names.database(topology.instance(), shard))
        .sql("." + EntitySchema.TABLE)
        .sql(" (row_key, column_name, ref_key, body, origin, origin_id, created_at) VALUES ");
    var separator = "(";
    for (var row : rows) {
      script.sql(separator).bytes(UuidBytes.of(row.rowKey())).sql(",");
      script.text(row.columnName()).sql(",").number(row.refKey()).sql(",");
      script.bytes(row.body()).sql(",").text(topology.datacenter());
      script.sql(",NULL,UTC_TIMESTAMP(6))");
      separator = ",(";
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
