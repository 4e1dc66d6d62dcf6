package io.cellmesh.operations.check;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.check.Finding.Mark;
import io.cellmesh.storage.InstanceTable;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.SchemaVersionException;
import io.cellmesh.storage.ServerChecks;
import io.cellmesh.storage.ServerFinding.Severity;
import io.cellmesh.storage.TopologyMismatchException;
import io.cellmesh.storage.grants.GrantsCheck;
import io.cellmesh.storage.grants.Role;
import io.cellmesh.storage.replication.ServerRole;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The MySQL servers of a data centre, and what each role may do there. */
final class MySqlCheck {
  private static final Logger LOG = LoggerFactory.getLogger(MySqlCheck.class);

  private static final MySqlOptions IMPATIENT =
      new MySqlOptions(
          Duration.ofSeconds(3),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          2);

  /** What a sink takes by default. */
  private static final int BODY_BYTES = 1 << 20;

  /** More would hide the others. */
  private static final int SHOWN = 3;

  private final DataCenter dc;
  private final List<IndexDefinition> indexes;
  private final boolean connectors;

  /**
   * @param connectors whether the deployment says who they sign on as
   */
  MySqlCheck(DataCenter dc, List<IndexDefinition> indexes, boolean connectors) {
    this.dc = dc;
    this.indexes = indexes;
    this.connectors = connectors;
  }

  void run(Consumer<Finding> tell) {
    try (var operators = new Pools(dc.operator(), IMPATIENT);
        var readers = new Pools(dc.reader(), IMPATIENT)) {
      for (var cluster : dc.topology().clusters()) {
        for (var server : servers(cluster)) {
          if (reached(cluster, server, operators, dc.operator(), tell)) {
            look(cluster, server, operators, readers, tell);
          }
          if (!dc.reader().equals(dc.operator())) {
            reached(cluster, server, readers, dc.reader(), tell);
          }
        }
      }
    }
  }

  private static List<Server> servers(StorageCluster cluster) {
    var servers = new ArrayList<Server>();
    servers.add(cluster.master());
    servers.addAll(cluster.minions());
    return servers;
  }

  private boolean reached(
      StorageCluster cluster,
      Server server,
      Pools pools,
      Credentials user,
      Consumer<Finding> tell) {
    try (var connection = pools.open(server);
        var statement = connection.createStatement()) {
      statement.execute("DO 1");
      tell.accept(
          finding(cluster, server, Mark.GOOD, "%s signs on, %s".formatted(user, user.tls())));
      return true;
    } catch (SQLException e) {
      var why = "%s can't sign on: %s".formatted(user, MySqlErrors.explain(e));
      tell.accept(finding(cluster, server, Mark.WRONG, why + advice(e)));
      return false;
    }
  }

  private static String advice(SQLException e) {
    if (MySqlErrors.distrusts(e)) {
      return "; give `truststore` the CA that signed its certificate, with the host that the topology names";
    }
    return MySqlErrors.turnsAway(e)
        ? "; make the user with `cellmesh grants`, or correct its password"
        : "; is it up, and is its address in the topology right?";
  }

  private void look(
      StorageCluster cluster,
      Server server,
      Pools operators,
      Pools readers,
      Consumer<Finding> tell) {
    boolean master = server.equals(cluster.master());
    try (var connection = operators.open(server)) {
      var checks = new ServerChecks(Severity.REFUSE, BODY_BYTES);
      for (var finding : checks.check(connection, cluster, server)) {
        tell.accept(
            finding(
                cluster, server, finding.refused() ? Mark.WRONG : Mark.WARNING, finding.text()));
      }
      role(connection, cluster, server, master, tell);
      if (master && instance(connection, cluster, server, tell)) {
        rights(connection, cluster, server, tell);
        reads(cluster, server, readers, tell);
      }
    } catch (SQLException e) {
      tell.accept(
          finding(
              cluster,
              server,
              Mark.WARNING,
              "can't be looked at as %s: %s; `cellmesh grants --role operator` prints what it needs"
                  .formatted(dc.operator(), MySqlErrors.explain(e))));
    }
  }

  private void role(
      Connection connection,
      StorageCluster cluster,
      Server server,
      boolean master,
      Consumer<Finding> tell)
      throws SQLException {
    var role = ServerRole.of(connection);
    if (master && role.isReplica()) {
      tell.accept(
          finding(
              cluster,
              server,
              Mark.WRONG,
              "is the master in the topology and follows %s; correct the topology, or `cellmesh promote` it"
                  .formatted(role.following().orElseThrow().address())));
    } else if (master && !role.open()) {
      tell.accept(
          finding(
              cluster, server, Mark.WRONG, "is read-only; `cellmesh promote` with it opens it"));
    } else if (!master && !role.isReplica()) {
      tell.accept(
          finding(
              cluster,
              server,
              Mark.WRONG,
              "is a minion in the topology and follows nobody; `cellmesh minion add --server %s` lets it"
                  .formatted(server.address())));
    }
  }

  /** Whether it is there, and as it must be. */
  private boolean instance(
      Connection connection, StorageCluster cluster, Server server, Consumer<Finding> tell)
      throws SQLException {
    if (!InstanceTable.exists(connection, dc.topology())) {
      tell.accept(
          finding(
              cluster,
              server,
              Mark.WARNING,
              "holds no instance %s yet, or %s may not see it; `cellmesh instance create` makes it"
                  .formatted(dc.topology().instance(), dc.operator())));
      return false;
    }
    try {
      InstanceTable.check(connection, dc.topology(), cluster);
      return true;
    } catch (TopologyMismatchException | SchemaVersionException e) {
      tell.accept(finding(cluster, server, Mark.WRONG, e.getMessage()));
      return false;
    }
  }

  /** Whoever can't sign on at all is told elsewhere. */
  private void reads(StorageCluster cluster, Server server, Pools readers, Consumer<Finding> tell) {
    try (var connection = readers.open(server)) {
      new ReaderCheck(dc.topology())
          .denied(connection, cluster)
          .ifPresent(
              why ->
                  tell.accept(
                      finding(
                          cluster,
                          server,
                          Mark.WRONG,
                          "%s can't read cells, and no worker can: %s; run what `cellmesh grants --role reader` prints"
                              .formatted(dc.reader(), why))));
    } catch (SQLException e) {
      LOG.debug("{} can't be read as {}", server, dc.reader(), e);
    }
  }

  private void rights(
      Connection connection, StorageCluster cluster, Server server, Consumer<Finding> tell) {
    var check = new GrantsCheck(dc.topology(), indexes);
    for (var role : users().entrySet()) {
      try {
        var missing = check.of(connection, role.getKey(), role.getValue(), cluster);
        if (!missing.isNothing()) {
          tell.accept(finding(cluster, server, Mark.WRONG, text(role, missing)));
        }
      } catch (SQLException e) {
        tell.accept(
            finding(
                cluster,
                server,
                Mark.WARNING,
                "%s may not see the rights of others, so they are not compared; an administrator may: CELLMESH_MYSQL_USER=root"
                    .formatted(dc.operator())));
        return;
      }
    }
  }

  /** Who does everything as one user, as on a stack of this machine, has no rights to compare. */
  private Map<Role, String> users() {
    var users = new EnumMap<Role, String>(Role.class);
    if (connectors && dc.connectors().isPerRole()) {
      for (var role : List.of(Role.SINK, Role.SOURCE)) {
        users.put(role, dc.connectors().mysql(role.text()).user());
      }
      if (!indexes.isEmpty()) {
        users.put(Role.INDEX, dc.connectors().mysql(Role.INDEX.text()).user());
      }
    }
    return users;
  }

  private static String text(Map.Entry<Role, String> role, GrantsCheck.Missing missing) {
    var command = "`cellmesh grants --role %s`".formatted(role.getKey().text());
    if (missing.account().isEmpty()) {
      return "there is no user %s for the role %s; run what %s prints"
          .formatted(role.getValue(), role.getKey().text(), command);
    }
    var rights = missing.rights();
    var shown = String.join(", ", rights.subList(0, Math.min(SHOWN, rights.size())));
    return "%s, of the role %s, lacks %s%s; run what %s prints"
        .formatted(
            missing.account(),
            role.getKey().text(),
            shown,
            rights.size() > SHOWN ? " and %d more".formatted(rights.size() - SHOWN) : "",
            command);
  }

  private Finding finding(StorageCluster cluster, Server server, Mark mark, String text) {
    var kind = server.equals(cluster.master()) ? "master" : "minion";
    return new Finding(
        dc.name(), "mysql %s %s %s".formatted(cluster.name(), kind, server.address()), mark, text);
  }
}
