package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.InstanceTable;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.SchemaVersionException;
import io.cellmesh.storage.ServerChecks;
import io.cellmesh.storage.ServerFinding;
import io.cellmesh.storage.ServerHealth;
import io.cellmesh.storage.TopologyMismatchException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
 * and a minion anew whenever its word is asked for. Thread-safe.
 */
final class StartChecks {
  private static final Logger LOG = LoggerFactory.getLogger(StartChecks.class);

  private final ServerHealth health;
  private final Look look;
  private final StartCheckThreads checkThreads;
  private final Consumer<String> warnings;
  private final Map<Server, StorageCluster> minions = new HashMap<>();
  private final Map<Server, StorageCluster> unjudged = new ConcurrentHashMap<>();
  private final Map<Server, List<Refusal>> refused = new ConcurrentHashMap<>();
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  /** Whether a first look is over, in which whoever is refused stops the task before it begins. */
  private volatile boolean begun;

  /**
   * @param warnings told what is worth knowing and refused by nobody, once a server
   */
  StartChecks(
      Topology topology,
      ServerHealth health,
      Look look,
      StartCheckThreads checkThreads,
      Consumer<String> warnings) {
    this.health = health;
    this.look = look;
    this.checkThreads = checkThreads;
    this.warnings = warnings;
    for (var cluster : topology.clusters()) {
      cluster.minions().forEach(minion -> minions.put(minion, cluster));
      cluster.servers().forEach(server -> unjudged.put(server, cluster));
    }
  }

  /** Checks of real servers, as {@link ServerChecks} and {@link InstanceTable} judge them. */
  static StartChecks of(
      CellSinkConfig config,
      Nodes nodes,
      StartCheckThreads checkThreads,
      Consumer<String> warnings) {
    var topology = config.topology();
    var checks = new ServerChecks(config.durability(), config.bodyLimit());
    Look look =
        (server, cluster) ->
            nodes
                .of(server)
                .read(
                    connection -> {
                      if (server.equals(cluster.master())) {
                        InstanceTable.check(connection, topology, cluster);
                      }
                      return checks.check(connection, cluster, server);
                    });
    return new StartChecks(topology, nodes, look, checkThreads, warnings);
  }

  /** Looks at one server, and says what is wrong with it. */
  @FunctionalInterface
  interface Look {
    /**
     * @throws TopologyMismatchException if the instance was created with other fixed values
     * @throws SchemaVersionException if its tables are of another version
     * @throws NodeUnavailableException if the server can't be looked at just now
     */
    List<ServerFinding> at(Server server, StorageCluster cluster)
        throws SQLException, NodeUnavailableException;
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
    var asked = unjudged.entrySet().stream().filter(e -> health.healthy(e.getKey())).toList();
    checkThreads.run(asked, server -> judge(server.getKey(), server.getValue()));
    begun = true;
    return refusals();
  }

  /**
   * Whether a server's word counts that it has cells whose copies go then (invariant 5). A minion
   * is looked at for it, once: it may have come back with a filter. Where it can't be looked at its
   * word proves nothing, whatever it was found to be before. A master is what the last {@link #run}
   * found.
   */
  boolean sound(Server server) {
    var cluster = minions.get(server);
    return cluster == null
        ? !unjudged.containsKey(server) && !refused.containsKey(server)
        : judge(server, cluster);
  }

  /** Says whether a server could be judged, and nothing about it is refused. */
  private boolean judge(Server server, StorageCluster cluster) {
    try {
      var refusals = new ArrayList<Refusal>();
      for (var finding : look.at(server, cluster)) {
        if (finding.refused()) {
          refusals.add(new Refusal(CellSinkConfig.TOPOLOGY, finding.text()));
        } else if (warned.add(finding.text())) {
          warnings.accept(finding.text());
        }
      }
      return judged(server, refusals);
    } catch (NodeUnavailableException e) {
      LOG.debug("{} is checked when it answers: {}", server, e.getMessage());
      if (warned.add(server.address())) {
        LOG.warn("{} of {} is down, so it is checked when it answers", server, cluster.name());
      }
      return false;
    } catch (TopologyMismatchException | SchemaVersionException e) {
      return judged(server, List.of(new Refusal(CellSinkConfig.TOPOLOGY, e.getMessage())));
    } catch (SQLException e) {
      var refusal = unchecked(server, cluster, e);
      if (!begun || !minions.containsKey(server)) {
        return judged(server, List.of(refusal));
      }
      return provesNothing(refusal.text());
    } catch (RuntimeException e) {
      if (!begun) {
        throw e;
      }
      return provesNothing("%s can't be checked (%s): %s".formatted(server, cluster.name(), e));
    }
  }

  /** That a server can't be looked at says nothing against it: only its word does not count. */
  private boolean provesNothing(String text) {
    if (warned.add(text)) {
      warnings.accept(text + "; until it can be, no copy goes on its word");
    }
    return false;
  }

  private boolean judged(Server server, List<Refusal> refusals) {
    if (refusals.isEmpty()) {
      refused.remove(server);
    } else {
      refused.put(server, refusals);
    }
    unjudged.remove(server);
    return refusals.isEmpty();
  }

  private static Refusal unchecked(Server server, StorageCluster cluster, SQLException e) {
    return new Refusal(
        MySqlErrors.distrusts(e) ? CellSinkConfig.MYSQL_SSL_MODE : CellSinkConfig.MYSQL_USER,
        "%s can't be checked (%s): %s".formatted(server, cluster.name(), MySqlErrors.explain(e)));
  }
}
