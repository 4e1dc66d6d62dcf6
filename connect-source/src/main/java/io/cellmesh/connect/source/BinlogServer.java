package io.cellmesh.connect.source;

import io.cellmesh.cell.Names;
import io.debezium.config.Configuration;
import io.debezium.connector.mysql.MySqlConnectorConfig;
import io.debezium.connector.mysql.jdbc.MySqlConnection;
import io.debezium.connector.mysql.jdbc.MySqlConnectionConfiguration;
import io.debezium.connector.mysql.jdbc.MySqlFieldReaderResolver;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * The MySQL server whose binlog is read, asked over JDBC with the very settings that Debezium uses.
 */
final class BinlogServer {
  private static final int NO_SUCH_DATABASE = 1049;
  private static final int NO_SUCH_TABLE = 1146;

  private final String address;
  private final String instance;
  private final Configuration settings;

  BinlogServer(String address, String instance, Map<String, String> debezium) {
    this.address = address;
    this.instance = instance;
    this.settings = Configuration.from(debezium);
  }

  String address() {
    return address;
  }

  /** A cheap attempt, for a failure of Debezium's fills a page of the worker's log. */
  void ping() throws SQLException {
    try (var connection = open()) {
      connection.execute("SELECT 1");
    }
  }

  /**
   * The transactions that had been executed when the instance was created on this cluster; the
   * first cell came after them.
   *
   * @return empty while this server does not know the instance
   */
  Optional<String> createdGtids() throws SQLException {
    var query = "SELECT created_gtids FROM `%s`.instance".formatted(Names.metaDatabase(instance));
    try (var connection = open()) {
      return connection.queryAndMap(
          query, row -> row.next() ? Optional.of(row.getString(1)) : Optional.empty());
    } catch (SQLException e) {
      if (e.getErrorCode() == NO_SUCH_DATABASE || e.getErrorCode() == NO_SUCH_TABLE) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private MySqlConnection open() {
    return new MySqlConnection(
        new MySqlConnectionConfiguration(settings),
        MySqlFieldReaderResolver.resolve(new MySqlConnectorConfig(settings)));
  }
}
