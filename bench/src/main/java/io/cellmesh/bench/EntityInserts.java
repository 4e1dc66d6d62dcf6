package io.cellmesh.bench;

import io.cellmesh.cell.EntitySchema;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.UuidBytes;
import io.cellmesh.devstack.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** A connection that brings cells into the entity tables without the sink. For one thread. */
final class EntityInserts implements AutoCloseable {
  private final Topology topology;
  private final Connection connection;
  private final Map<Integer, PreparedStatement> statements = new HashMap<>();
  private final Set<PreparedStatement> touched = new LinkedHashSet<>();

  EntityInserts(Topology topology, MySqlServer master) throws SQLException {
    this.topology = topology;
    this.connection =
        DriverManager.getConnection(
            "jdbc:mysql://%s:%d/?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true&rewriteBatchedStatements=true"
                .formatted(master.host(), master.port()));
  }

  /** A transaction of one row; returns once it is committed. */
  void insert(EntityRow row) throws SQLException {
    fill(row).executeUpdate();
  }

  /** One transaction, with one statement a shard as the sink has it. */
  void insert(Iterable<EntityRow> rows) throws SQLException {
    connection.setAutoCommit(false);
    for (var row : rows) {
      var statement = fill(row);
      statement.addBatch();
      touched.add(statement);
    }
    for (var statement : touched) {
      statement.executeBatch();
    }
    touched.clear();
    connection.commit();
    connection.setAutoCommit(true);
  }

  private PreparedStatement fill(EntityRow row) throws SQLException {
    var statement = statements.get(row.shard());
    if (statement == null) {
      statement = connection.prepareStatement(sql(row.shard()));
      statements.put(row.shard(), statement);
    }
    statement.setBytes(1, UuidBytes.of(row.rowKey()));
    statement.setString(2, row.columnName());
    statement.setLong(3, row.refKey());
    statement.setBytes(4, row.body());
    statement.setString(5, topology.datacenter());
    return statement;
  }

  private String sql(int shard) {
    return "INSERT INTO "
        + Names.database(topology.instance(), shard)
        + "."
        + EntitySchema.TABLE
        + " (row_key, column_name, ref_key, body, origin, origin_id, created_at)"
        + " VALUES (?,?,?,?,?,NULL,UTC_TIMESTAMP(6))";
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
