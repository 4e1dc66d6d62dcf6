package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.InstanceTable;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.ServerChecks;
import io.cellmesh.storage.ServerFinding;
import io.cellmesh.storage.TopologyMismatchException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges every server of the topology: that the instance was created there with the same fixed
 * values, and that the server keeps what it is given. One that is down is judged when it answers,
 * and a minion again whenever its word lets copies go. Thread-safe.
 */
final class StartChecks {
  private static final Logger LOG = LoggerFactory.getLogger(StartChecks.class);

  private final Topology topology;
  private final Nodes nodes;
  private final StartCheckThreads checkThreads;
  private final ServerChecks checks;
  private final Consumer<String> warnings;
  private final Map<Server, StorageCluster> unjudged = new ConcurrentHashMap<>();
  private final Map<Server, List<Refusal>> refused = new ConcurrentHashMap<>();
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  /**
   * @param warnings told what is worth knowing and refused by nobody, once a server
   */
  StartChecks(
      CellSinkConfig config,
      Nodes nodes,
      StartCheckThreads checkThreads,
      Consumer<String> warnings) {
    this.topology = config.topology();
    this.nodes = nodes;
    this.checkThreads = checkThreads;
    this.checks = new ServerChecks(config.durability(), config.bodyLimit());
    this.warnings = warnings;
    for (var cluster : topology.clusters()) {
      cluster.servers().forEach(server -> unjudged.put(server, cluster));
    }
  }

  /**
   * Why the sink must not write.
   *
   * @param setting the setting that is to blame
   */
  record Refusal(String setting, String text) {}

  /** Whether a server has not been judged yet, because it was down. */
  boolean pending() {
    return !unjudged.isEmpty();
  }

  /** What was refused so far. */
  List<Refusal> refusals() {
    return refused.values().stream()
        .flatMap(List::stream)
        .sorted(Comparator.comparing(Refusal::text))
        .toList();
  }

  /**
   * Judges the servers that were not judged yet and are not known to be down, side by side.
   *
   * @return what is refused; empty if the sink may write
   */
  List<Refusal> run() {
    var asked = unjudged.keySet().stream().filter(s -> nodes.of(s).healthy()).toList();
    checkThreads.run(asked, server -> judge(server, unjudged.get(server)));
    return refusals();
  }

  /**
   * Whether a server's word counts that it has cells whose copies go then (invariant 5). A minion
   * is looked at each time: it may have come back with a filter.
   */
  boolean sound(Server server) {
    for (var cluster : topology.clusters()) {
      if (cluster.minions().contains(server)) {
        unjudged.put(server, cluster);
        judge(server, cluster);
      }
    }
    return !unjudged.containsKey(server) && !refused.containsKey(server);
  }

  private void judge(Server server, StorageCluster cluster) {
    try {
      var refusals = new ArrayList<Refusal>();
      for (var finding : nodes.of(server).call(c -> findings(c, server, cluster))) {
        if (finding.refused()) {
          refusals.add(new Refusal(CellSinkConfig.TOPOLOGY, finding.text()));
        } else if (warned.add(finding.text())) {
          warnings.accept(finding.text());
        }
      }
      judged(server, refusals);
    } catch (NodeUnavailableException e) {
      LOG.debug("{} is checked when it answers: {}", server, e.getMessage());
      if (warned.add(server.address())) {
        LOG.warn("{} of {} is down, so it is checked when it answers", server, cluster.name());
      }
    } catch (TopologyMismatchException e) {
      judged(server, List.of(new Refusal(CellSinkConfig.TOPOLOGY, e.getMessage())));
    } catch (SQLException e) {
      judged(server, List.of(unchecked(server, cluster, e)));
    }
  }

  private void judged(Server server, List<Refusal> refusals) {
    if (refusals.isEmpty()) {
      refused.remove(server);
    } else {
      refused.put(server, refusals);
    }
    unjudged.remove(server);
  }

  private static Refusal unchecked(Server server, StorageCluster cluster, SQLException e) {
    return new Refusal(
        MySqlErrors.distrusts(e) ? CellSinkConfig.MYSQL_SSL_MODE : CellSinkConfig.MYSQL_USER,
        "%s can't be checked (%s): %s".formatted(server, cluster.name(), MySqlErrors.explain(e)));
  }

  private List<ServerFinding> findings(Connection connection, Server server, StorageCluster cluster)
      throws SQLException {
    if (server.equals(cluster.master())) {
      InstanceTable.check(connection, topology, cluster);
    }
    return checks.check(connection, cluster, server);
  }
}
