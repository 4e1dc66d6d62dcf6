package io.cellmesh.connect.source;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology.Server;
import io.debezium.config.Configuration;
import io.debezium.connector.mysql.jdbc.MySqlConnectionConfiguration;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A MySQL server of the cluster, asked over JDBC with the very settings that Debezium uses. */
final class BinlogServer {
  private static final int NO_SUCH_DATABASE = 1049;
  private static final int NO_SUCH_TABLE = 1146;

  private final Server server;
  private final boolean listedMaster;
  private final String instance;
  private final Map<String, String> debezium;

  /** Made once: one that is away is tried many times a second. */
  private final MySqlConnectionConfiguration connections;

  /**
   * @param debezium what Debezium is told in order to read this server
   */
  BinlogServer(Server server, boolean listedMaster, String instance, Map<String, String> debezium) {
    this.server = server;
    this.listedMaster = listedMaster;
    this.instance = instance;
    this.debezium = debezium;
    this.connections = new MySqlConnectionConfiguration(Configuration.from(debezium));
  }

  /** All of the connector's cluster, in the topology's order. */
  static List<BinlogServer> of(CellSourceConfig config) {
    var cluster = config.cluster();
    return cluster.servers().stream()
        .map(
            server ->
                new BinlogServer(
                    server,
                    server.equals(cluster.master()),
                    config.topology().instance(),
                    DebeziumSettings.of(config, server)))
        .toList();
  }

  Server server() {
    return server;
  }

  boolean listedMaster() {
    return listedMaster;
  }

  Map<String, String> debezium() {
    return debezium;
  }

  String user() {
    return debezium.get("database.user");
  }

  String address() {
    return server.address();
  }

  /** A connection of its own; the caller closes it. */
  Connection connect() throws SQLException {
    return connections.factory().connect(connections.config());
  }

  /** How far it is, and what it is. */
  static ServerState.Answer ask(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      boolean replica;
      boolean applies;
      // Its words until 8.0.22 were others; 8.4 knows no other than these.
      try (var rows = statement.executeQuery("SHOW REPLICA STATUS")) {
        replica = rows.next();
        applies =
            replica
                && "Yes".equals(rows.getString("Replica_IO_Running"))
                && "Yes".equals(rows.getString("Replica_SQL_Running"));
      }
      try (var row =
          statement.executeQuery(
              "SELECT @@GLOBAL.gtid_executed, @@GLOBAL.gtid_purged, @@GLOBAL.read_only")) {
        row.next();
        return new ServerState.Answer(
            replica,
            applies,
            !row.getBoolean(3),
            GtidSet.parse(row.getString(1)),
            GtidSet.parse(row.getString(2)));
      }
    }
  }

  /**
   * The transactions that had been executed when the instance was created on this cluster; the
   * first cell came after them.
   *
   * @return empty while this server does not know the instance
   */
  Optional<String> createdGtids(Connection connection) throws SQLException {
    var query = "SELECT created_gtids FROM `%s`.instance".formatted(Names.metaDatabase(instance));
    try (var statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
    } catch (SQLException e) {
      if (e.getErrorCode() == NO_SUCH_DATABASE || e.getErrorCode() == NO_SUCH_TABLE) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
