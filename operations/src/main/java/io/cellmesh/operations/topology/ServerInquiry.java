package io.cellmesh.operations.topology;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.ConnectionAction;
import io.cellmesh.storage.ConnectionCallback;
import io.cellmesh.storage.EpochTable;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.replication.ServerRole;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Asks the servers of a data centre what they are; all side by side, so that none is waited for.
 */
public final class ServerInquiry {
  /**
   * A server that hangs costs five seconds, so that one that is only slow, or asked by a machine
   * that is, is not taken for dead; one that is asked to change has more time.
   */
  public static final MySqlOptions OPTIONS =
      new MySqlOptions(
          Duration.ofSeconds(5),
          Duration.ofSeconds(20),
          Duration.ofSeconds(5),
          Duration.ofMinutes(30),
          8);

  private final Pools pools;
  private final Set<Server> reached = ConcurrentHashMap.newKeySet();

  public ServerInquiry(Pools pools) {
    this.pools = pools;
  }

  /**
   * What each is.
   *
   * @throws OperationException if one turns this user away: it is there, and must not be taken for
   *     dead
   */
  public Map<Server, ServerAnswer> roles(Collection<Server> servers) {
    var answers = new ConcurrentHashMap<Server, ServerAnswer>();
    each(
        servers,
        server -> {
          try (var connection = open(server)) {
            answers.put(server, ServerAnswer.of(ServerRole.of(connection)));
          } catch (SQLException e) {
            requireService(server, e);
            answers.put(server, ServerAnswer.silent(MySqlErrors.explain(e)));
          }
        });
    return answers;
  }

  /**
   * The epochs that each cluster knows, by its name; one whose server does not answer is left out.
   *
   * @param cluster about whose epoch it is
   * @param candidate asked in place of its master, who may be the last to hear of another one
   * @throws OperationException if one turns this user away
   */
  public Map<String, Map<String, Integer>> epochs(
      Topology topology, StorageCluster cluster, Server candidate) {
    var table = new EpochTable(topology);
    var masters = new HashMap<Server, String>();
    for (var each : topology.clusters()) {
      boolean own = each.name().equals(cluster.name());
      masters.put(own ? candidate : each.master(), each.name());
    }
    var epochs = new ConcurrentHashMap<String, Map<String, Integer>>();
    each(
        masters.keySet(),
        server -> {
          try (var connection = open(server)) {
            epochs.put(masters.get(server), table.read(connection));
          } catch (SQLException e) {
            // Else there is nobody to ask.
            requireService(server, e);
          }
        });
    return epochs;
  }

  /**
   * Tells clusters of an epoch of one of them.
   *
   * @param cluster whose epoch it is
   * @param told whose masters are told
   * @return those that could not be reached, each with the reason
   */
  public List<String> raise(
      Topology topology, String cluster, int epoch, Collection<StorageCluster> told) {
    var table = new EpochTable(topology);
    var unreached =
        changeEach(
            told.stream().map(StorageCluster::master).toList(),
            connection -> table.raise(connection, cluster, epoch));
    return told.stream()
        .filter(one -> unreached.containsKey(one.master()))
        .map(one -> "%s (%s)".formatted(one.name(), unreached.get(one.master())))
        .toList();
  }

  /**
   * Does something on each of several servers, side by side: of a lost rack none answers, and all
   * together cost the time of one.
   *
   * @return those on which it could not be done, each with the reason
   */
  Map<Server, String> changeEach(Collection<Server> servers, ConnectionAction change) {
    var failed = new ConcurrentHashMap<Server, String>();
    each(
        servers,
        server -> {
          try {
            change(server, change);
          } catch (SQLException e) {
            failed.put(server, e.getMessage());
          }
        });
    return failed;
  }

  /** What one is. */
  public ServerRole role(Server server) throws SQLException {
    return on(server, ServerRole::of);
  }

  /**
   * What one is that has to answer.
   *
   * @throws OperationException if it does not
   */
  public ServerRole answering(Server server) {
    var answer = roles(List.of(server)).get(server);
    return answer
        .role()
        .orElseThrow(
            () ->
                OperationException.unavailable(
                    server.address() + " does not answer any more: " + answer.silence()));
  }

  /** Whether one answers and follows another. */
  public boolean isReplica(Server server) {
    return roles(List.of(server)).get(server).role().filter(ServerRole::isReplica).isPresent();
  }

  /** A connection; closing it gives it back. Where nobody listens this is known at once. */
  public Connection open(Server server) throws SQLException {
    if (!reached.contains(server)) {
      requireListener(server);
    }
    try {
      var connection = pools.open(server);
      reached.add(server);
      return connection;
    } catch (SQLException e) {
      reached.remove(server);
      throw e;
    }
  }

  /**
   * A pool would try again as long as its patience lasts. Not to be asked often: MySQL counts
   * connections on which nobody signs on, until one does, and locks their host out after a hundred.
   */
  private static void requireListener(Server server) throws SQLException {
    try (var listens = new Socket()) {
      listens.connect(address(server), Math.toIntExact(OPTIONS.connectTimeout().toMillis()));
    } catch (UnknownHostException e) {
      // It says no more than the name.
      throw new SQLNonTransientConnectionException(
          "the name %s can't be resolved".formatted(server.host()), "08001");
    } catch (IOException e) {
      throw new SQLNonTransientConnectionException(e.getMessage(), "08001", e);
    }
  }

  /** Does something on a connection to a server. */
  public <T> T on(Server server, ConnectionCallback<T> work) throws SQLException {
    try (var connection = open(server)) {
      return work.run(connection);
    } catch (SQLException e) {
      throw new SQLException(
          server.address() + ": " + MySqlErrors.explain(e), e.getSQLState(), e.getErrorCode(), e);
    }
  }

  /** As {@link #on}, without a result. */
  public void change(Server server, ConnectionAction change) throws SQLException {
    on(server, ConnectionCallback.of(change));
  }

  /** The cluster with another master, epoch and minions. */
  public static Topology with(Topology topology, StorageCluster changed) {
    return new Topology(
        topology.instance(),
        topology.shards(),
        topology.datacenter(),
        topology.clusters().stream()
            .map(c -> c.name().equals(changed.name()) ? changed : c)
            .toList());
  }

  private static InetSocketAddress address(Server server) {
    return new InetSocketAddress(server.host(), server.port());
  }

  /**
   * Lets a server pass that does not answer.
   *
   * @throws OperationException if it does, but turns this user away
   */
  private static void requireService(Server server, SQLException error) {
    if (MySqlErrors.turnsAway(error)) {
      throw OperationException.unavailable(
          server.address() + ": " + MySqlErrors.explain(error), error);
    }
  }

  /** Returns when all are done; throws what one that failed threw. */
  static void each(Collection<Server> servers, Consumer<Server> question) {
    var threads = Executors.newFixedThreadPool(Math.max(1, servers.size()));
    try {
      var asked =
          servers.stream()
              .map(server -> CompletableFuture.runAsync(() -> question.accept(server), threads))
              .toArray(CompletableFuture[]::new);
      CompletableFuture.allOf(asked).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    } finally {
      threads.shutdownNow();
    }
  }
}
