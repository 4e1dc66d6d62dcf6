package io.cellmesh.bench;

import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.MySqlServer;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a figure depends on.
 *
 * @param versions by what has them
 * @param mysql settings of the servers, as one of them gave them
 * @param peer the settings of the peer's connector
 */
public record Surroundings(
    Machine machine,
    Map<String, String> versions,
    Map<String, String> mysql,
    Map<String, String> peer) {
  private static final List<String> MYSQL_SETTINGS =
      List.of(
          "sync_binlog",
          "innodb_flush_log_at_trx_commit",
          "innodb_doublewrite",
          "log_bin",
          "binlog_format",
          "gtid_mode",
          "innodb_buffer_pool_size",
          "table_open_cache");

  /**
   * As they are now.
   *
   * @param server asked for MySQL's settings
   * @param peer the settings of the peer's connector
   */
  static Surroundings of(MySqlServer server, Map<String, String> peer) throws SQLException {
    var versions = new LinkedHashMap<String, String>();
    versions.put("Java", Runtime.version().toString());
    versions.put("Kafka", CellmeshHome.kafkaVersion());
    try (var connection = server.connect()) {
      var meta = connection.getMetaData();
      versions.put("MySQL", meta.getDatabaseProductVersion());
      versions.put("Connector/J", meta.getDriverVersion().replaceAll("^[a-z-]*| .*", ""));
    }
    var mysql = new LinkedHashMap<String, String>();
    for (var name : MYSQL_SETTINGS) {
      mysql.put(name, server.query("SELECT @@GLOBAL." + name));
    }
    return new Surroundings(Machine.here(), versions, mysql, peer);
  }

  /**
   * With the version of a plugin.
   *
   * @param what to call it
   * @param plugin the simple name of the connector's class
   */
  Surroundings and(String what, DevStack stack, String plugin) {
    var all = new LinkedHashMap<>(versions);
    all.put(what, version(stack, plugin));
    return new Surroundings(machine, all, mysql, peer);
  }

  private static String version(DevStack stack, String name) {
    for (var plugin : stack.worker(Servers.DATACENTER).client().plugins()) {
      if (plugin.path("class").asText().endsWith("." + name)) {
        return plugin.path("version").asText();
      }
    }
    return "unknown";
  }
}
