package io.cellmesh.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reads what {@link ServerRules} judge, under the words of MySQL 8.4 whatever the server's version.
 * Filters are read from the statements that show them, since they are no variables; without the
 * privilege they are left out.
 */
final class ServerVariables {
  static final List<String> BINLOG_FILTERS = List.of("binlog_do_db", "binlog_ignore_db");
  static final List<String> REPLICATION_FILTERS =
      List.of(
          "replicate_do_db",
          "replicate_ignore_db",
          "replicate_do_table",
          "replicate_ignore_table",
          "replicate_wild_do_table",
          "replicate_wild_ignore_table",
          "replicate_rewrite_db");

  private static final int SYNTAX_ERROR = 1064;
  private static final int DENIED = 1227;
  private static final List<String> NAMES =
      List.of(
          "sync_binlog",
          "innodb_flush_log_at_trx_commit",
          "log_bin",
          "binlog_format",
          "binlog_row_image",
          "gtid_mode",
          "enforce_gtid_consistency",
          "max_allowed_packet",
          "super_read_only",
          "log_replica_updates",
          "replica_skip_errors",
          "replica_parallel_workers",
          "replica_preserve_commit_order");

  private ServerVariables() {}

  static Map<String, String> ofMaster(Connection connection) throws SQLException {
    var variables = variables(connection);
    variables.putAll(
        filters(
            connection, List.of("SHOW BINARY LOG STATUS", "SHOW MASTER STATUS"), BINLOG_FILTERS));
    return variables;
  }

  static Map<String, String> ofMinion(Connection connection) throws SQLException {
    var variables = variables(connection);
    variables.putAll(
        filters(
            connection, List.of("SHOW REPLICA STATUS", "SHOW SLAVE STATUS"), REPLICATION_FILTERS));
    return variables;
  }

  private static Map<String, String> variables(Connection connection) throws SQLException {
    var names =
        NAMES.stream()
            .flatMap(name -> List.of(name, beforeMySql8026(name)).stream())
            .collect(Collectors.joining("','", "'", "'"));
    var found = new HashMap<String, String>();
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SHOW GLOBAL VARIABLES WHERE Variable_name IN (" + names + ")")) {
      while (rows.next()) {
        found.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
      }
    }
    var variables = new HashMap<String, String>();
    for (var name : NAMES) {
      var value = found.getOrDefault(name, found.get(beforeMySql8026(name)));
      if (value != null) {
        variables.put(name, value);
      }
    }
    return variables;
  }

  /** All filters, empty where there is none; nothing if the user may not see them. */
  private static Map<String, String> filters(
      Connection connection, List<String> words, List<String> filters) throws SQLException {
    SQLException unknown = null;
    for (var sql : words) {
      try (var statement = connection.createStatement();
          var rows = statement.executeQuery(sql)) {
        var found = new HashMap<String, String>();
        filters.forEach(filter -> found.put(filter, ""));
        while (rows.next()) {
          for (var filter : filters) {
            var value = rows.getString(filter);
            found.merge(filter, value == null ? "" : value, (one, other) -> one + other);
          }
        }
        return found;
      } catch (SQLException e) {
        if (e.getErrorCode() == DENIED) {
          return Map.of();
        }
        if (e.getErrorCode() != SYNTAX_ERROR) {
          throw e;
        }
        unknown = e;
      }
    }
    throw unknown;
  }

  private static String beforeMySql8026(String name) {
    return name.replace("replica", "slave");
  }
}
