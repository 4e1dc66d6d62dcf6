package io.cellmesh.operations.index;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.grants.Accounts;
import io.cellmesh.storage.grants.Grants;
import io.cellmesh.storage.grants.Role;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** Lets the index sinks write the tables of more indexes, where each role has a user of its own. */
final class IndexGrants {
  private IndexGrants() {}

  /**
   * Gives them to every account of the user, wherever it signs on from, if the operator may.
   *
   * @return whether they are known to be there
   * @throws SQLException if a master of the data centre does not answer
   */
  static boolean run(IndexSite site, List<IndexDefinition> indexes) throws SQLException {
    if (!site.dc().connectors().isPerRole()) {
      return true;
    }
    var user = user(site);
    var grants = new Grants(site.topology(), indexes);
    boolean all = true;
    for (var cluster : site.topology().clusters()) {
      try (var connection = site.pools().open(cluster.master())) {
        var accounts = Accounts.of(connection, user);
        for (var account : accounts) {
          run(connection, grants.more(Role.INDEX, account, cluster));
        }
        all &= !accounts.isEmpty();
      } catch (SQLException e) {
        if (!MySqlErrors.isDenied(e)) {
          throw e;
        }
        all = false;
      }
    }
    return all;
  }

  private static String user(IndexSite site) {
    return site.dc().connectors().mysql(Role.INDEX.text()).user();
  }

  /** Says what somebody has to do who may grant, once the connector has failed without. */
  static OperationException lacking(
      IndexSite site, List<IndexDefinition> indexes, ConnectClientException failure) {
    var labels = indexes.stream().map(IndexDefinition::label).collect(Collectors.joining(", "));
    return OperationException.failed(
        "%s may not write the new tables, and the operator may not let it: have whoever may grant run on the masters what `cellmesh grants --role index --user %s --dc %s --index FILE` prints, with the files of %s, then run this again; the connector says: %s"
            .formatted(user(site), user(site), site.dc().name(), labels, failure.getMessage()));
  }

  private static void run(Connection connection, List<String> statements) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (var sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
