package io.cellmesh.operations.mesh;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.replication.ServerRole;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The cells of a data centre, its own as a rule, each shard's from a server that has executed
 * everything that the shard's master had when this was opened: so what its log had then is there.
 */
public final class TableSource {
  private static final Duration CATCH_UP = Duration.ofSeconds(20);
  private static final Duration POLL = Duration.ofMillis(200);

  private final Topology topology;
  private final Pools pools;
  private final Map<String, Server> servers;

  private TableSource(Topology topology, Pools pools, Map<String, Server> servers) {
    this.topology = topology;
    this.pools = pools;
    this.servers = servers;
  }

  /**
   * Chooses the servers: of each cluster the first minion that has caught up within {@code
   * CATCH_UP}, else the master.
   *
   * @throws OperationException if a master does not answer: nobody else knows what it had
   */
  public static TableSource open(Topology topology, Pools pools) throws InterruptedException {
    return open(topology, pools, CATCH_UP);
  }

  /** As above, with another time in which a minion may catch up. */
  public static TableSource open(Topology topology, Pools pools, Duration catchUp)
      throws InterruptedException {
    var servers = new HashMap<String, Server>();
    for (var cluster : topology.clusters()) {
      servers.put(cluster.name(), server(cluster, pools, catchUp));
    }
    return new TableSource(topology, pools, servers);
  }

  private static Server server(StorageCluster cluster, Pools pools, Duration catchUp)
      throws InterruptedException {
    GtidSet executed;
    try {
      executed = pools.ask(cluster.master(), ServerRole::of).executed();
    } catch (SQLException e) {
      throw OperationException.unavailable(
          "%s, the master of %s, does not answer: %s; nobody else knows what it had. Run this again when it is back, or after a promotion"
              .formatted(cluster.master().address(), cluster.name(), MySqlErrors.explain(e)),
          e);
    }
    for (var minion : cluster.minions()) {
      if (Waiting.within(catchUp, POLL, () -> has(pools, minion, executed))) {
        return minion;
      }
    }
    return cluster.master();
  }

  private static boolean has(Pools pools, Server minion, GtidSet executed) {
    try {
      return executed.without(pools.ask(minion, ServerRole::of).executed()).isEmpty();
    } catch (SQLException e) {
      return false;
    }
  }

  /**
   * Hands over the next cells of a shard that were first written here, in the order of their
   * added_ids.
   *
   * @param after the added_id before the first one
   * @return how many there were: fewer than {@code most} if there are no more
   */
  public int read(int shard, long after, int most, Consumer<LogRecord> reader) throws SQLException {
    return read(topology.datacenter(), shard, after, most, reader);
  }

  /** As above, of the cells that were first written in some data centre. */
  public int read(String origin, int shard, long after, int most, Consumer<LogRecord> reader)
      throws SQLException {
    try (var connection = pools.open(server(shard))) {
      return EntityScan.of(connection, topology, shard, origin, after, most, reader);
    }
  }

  /**
   * As above, of the cells of another data centre behind one of them.
   *
   * @param behind its origin_id
   */
  int behind(
      String origin, int shard, long behind, long after, int most, Consumer<LogRecord> reader)
      throws SQLException {
    try (var connection = pools.open(server(shard))) {
      return EntityScan.behind(connection, topology, shard, origin, behind, after, most, reader);
    }
  }

  /**
   * Finds the last cell of a shard that was first written in another data centre.
   *
   * @param atMost the greatest origin_id that is looked for
   */
  Optional<LogRecord> last(String origin, int shard, long atMost) throws SQLException {
    try (var connection = pools.open(server(shard))) {
      return EntityScan.lastOf(connection, topology, shard, origin, atMost);
    }
  }

  private Server server(int shard) {
    return servers.get(topology.clusterOf(shard).name());
  }
}
