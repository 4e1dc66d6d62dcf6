package io.cellmesh.bench;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.devstack.MySqlServer;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * What a MySQL server has counted since its start.
 *
 * @param status the global status, by name
 * @param transactions that it has committed or applied
 * @param binlogBytes of all its binary logs
 * @param cpu seconds of its process
 */
record ServerCounters(Map<String, Long> status, long transactions, long binlogBytes, double cpu) {

  /** Looks at a server, on a connection of its own that is closed again. */
  static ServerCounters of(MySqlServer server) throws SQLException {
    var status = new HashMap<String, Long>();
    long transactions;
    long bytes = 0;
    try (var connection = server.connect();
        var statement = connection.createStatement()) {
      try (var rows =
          statement.executeQuery(
              "SHOW GLOBAL STATUS WHERE Variable_name IN"
                  + " ('Questions', 'Com_commit', 'Com_delete', 'Bytes_received')")) {
        while (rows.next()) {
          status.put(rows.getString(1), rows.getLong(2));
        }
      }
      try (var row = statement.executeQuery("SELECT @@GLOBAL.gtid_executed")) {
        row.next();
        transactions = GtidSet.parse(row.getString(1)).count();
      }
      try (var rows = statement.executeQuery("SHOW BINARY LOGS")) {
        while (rows.next()) {
          bytes += rows.getLong(2);
        }
      }
    }
    return new ServerCounters(status, transactions, bytes, Processor.seconds(server.pid()));
  }

  long get(String name) {
    return status.getOrDefault(name, 0L);
  }

  /** Statements that clients have sent. */
  long statements() {
    return get("Questions");
  }

  /** What was counted since an earlier look. */
  ServerCounters since(ServerCounters before) {
    var more = new HashMap<String, Long>();
    status.forEach((name, value) -> more.put(name, value - before.get(name)));
    return new ServerCounters(
        more,
        transactions - before.transactions,
        binlogBytes - before.binlogBytes,
        cpu - before.cpu);
  }

  /** Both together. */
  ServerCounters plus(ServerCounters other) {
    var sum = new HashMap<>(status);
    other.status.forEach((name, value) -> sum.merge(name, value, Long::sum));
    return new ServerCounters(
        sum, transactions + other.transactions, binlogBytes + other.binlogBytes, cpu + other.cpu);
  }

  static ServerCounters none() {
    return new ServerCounters(Map.of(), 0, 0, 0);
  }
}
