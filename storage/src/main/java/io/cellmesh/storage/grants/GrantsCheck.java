package io.cellmesh.storage.grants;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.index.IndexDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares what a server lets a role's user do with what the role needs. Whoever asks must be able
 * to read the database {@code mysql}.
 */
public final class GrantsCheck {
  private static final Pattern GRANT =
      Pattern.compile("GRANT (?<privileges>.+?) ON (?<object>\\S+) TO .*");

  private final Grants grants;

  /**
   * @param indexes whose tables {@link Role#INDEX} writes
   */
  public GrantsCheck(Topology topology, List<IndexDefinition> indexes) {
    this.grants = new Grants(topology, indexes);
  }

  /**
   * What one account lacks.
   *
   * @param account empty if the user has no account at all
   * @param rights such as {@code SELECT ON trips_meta.instance}; empty if it lacks none
   */
  public record Missing(String account, List<String> rights) {
    public boolean isNothing() {
      return !account.isEmpty() && rights.isEmpty();
    }
  }

  /**
   * Asks a server. Of several accounts of the user the one that lacks least counts, since nobody
   * here knows where the user signs on from.
   */
  public Missing of(Connection connection, Role role, String user, StorageCluster cluster)
      throws SQLException {
    Missing least = null;
    for (var account : Accounts.of(connection, user)) {
      var missing = missing(role, account, cluster, held(connection, account));
      if (least == null || missing.size() < least.rights().size()) {
        least = new Missing(account.toString(), missing);
      }
    }
    return least == null ? new Missing("", List.of()) : least;
  }

  /**
   * @param held what the server says, as {@code SHOW GRANTS} prints it
   */
  List<String> missing(Role role, Account account, StorageCluster cluster, List<String> held) {
    var has = new HashMap<String, Set<String>>();
    held.forEach(statement -> add(statement, has));
    var missing = new ArrayList<String>();
    for (var statement : grants.more(role, account, cluster)) {
      var needs = new HashMap<String, Set<String>>();
      add(statement, needs);
      needs.forEach(
          (object, privileges) ->
              privileges.stream()
                  .filter(privilege -> !covered(object, privilege, has))
                  .forEach(privilege -> missing.add(privilege + " ON " + object)));
    }
    return missing;
  }

  private static boolean covered(String object, String privilege, Map<String, Set<String>> has) {
    var database = object.substring(0, object.indexOf('.')) + ".*";
    for (var wider : List.of(object, database, "*.*")) {
      var there = has.getOrDefault(wider, Set.of());
      int columns = privilege.indexOf(" (");
      if (there.contains(privilege)
          || there.contains("ALL PRIVILEGES")
          || (columns > 0 && there.contains(privilege.substring(0, columns)))) {
        return true;
      }
    }
    return false;
  }

  private static void add(String statement, Map<String, Set<String>> to) {
    Matcher grant = GRANT.matcher(statement);
    if (grant.matches()) {
      var object = grant.group("object").replace("`", "").replace("\\", "");
      to.computeIfAbsent(object, o -> new LinkedHashSet<>())
          .addAll(privileges(grant.group("privileges")));
    }
  }

  /** {@code SELECT, UPDATE (a, b)} is three: one for each column. */
  private static Set<String> privileges(String list) {
    var privileges = new HashSet<String>();
    for (var one : list.split(", (?![^(]*\\))")) {
      int open = one.indexOf('(');
      if (open < 0) {
        privileges.add(one.strip());
      } else {
        var name = one.substring(0, open).strip();
        for (var column : one.substring(open + 1, one.indexOf(')')).split(",")) {
          privileges.add("%s (%s)".formatted(name, column.strip().replace("`", "")));
        }
      }
    }
    return privileges;
  }

  private static List<String> held(Connection connection, Account account) throws SQLException {
    var held = new ArrayList<String>();
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("SHOW GRANTS FOR " + account)) {
      while (rows.next()) {
        held.add(rows.getString(1));
      }
    }
    return held;
  }
}
