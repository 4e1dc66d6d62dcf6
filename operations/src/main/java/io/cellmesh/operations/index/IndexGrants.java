package io.cellmesh.operations.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.grants.Account;
import io.cellmesh.storage.grants.Grants;
import io.cellmesh.storage.grants.Role;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Lets the index sinks write the tables of more indexes, where each role has a user of its own. */
final class IndexGrants {
  private IndexGrants() {}

  /**
   * Gives them to every account of the user, wherever it signs on from.
   *
   * @throws SQLException if a master of the data centre refuses it
   */
  static void run(IndexSite site, List<IndexDefinition> indexes) throws SQLException {
    var connectors = site.dc().connectors();
    if (!connectors.isPerRole()) {
      return;
    }
    var user = connectors.mysql(Role.INDEX.text()).user();
    var grants = new Grants(site.topology(), indexes);
    for (var cluster : site.topology().clusters()) {
      try (var connection = site.pools().open(cluster.master())) {
        for (var host : hosts(connection, user)) {
          run(connection, grants.more(Role.INDEX, new Account(user, host, false), cluster));
        }
      }
    }
  }

  private static List<String> hosts(Connection connection, String user) throws SQLException {
    try (var query = connection.prepareStatement("SELECT Host FROM mysql.user WHERE User = ?")) {
      query.setString(1, user);
      var hosts = new ArrayList<String>();
      try (var found = query.executeQuery()) {
        while (found.next()) {
          hosts.add(found.getString(1));
        }
      }
      return hosts;
    }
  }

  private static void run(Connection connection, List<String> statements) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (var sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
