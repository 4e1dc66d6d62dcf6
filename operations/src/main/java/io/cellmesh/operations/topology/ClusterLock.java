package io.cellmesh.operations.topology;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps two commands that change the same cluster apart, while both reach some server of the data
 * centre: each holds a named lock of MySQL on every master of the other clusters and on a server of
 * the cluster itself. The locks end with the command, however it ends.
 */
public final class ClusterLock implements AutoCloseable {
  /**
   * A lock lives in its session, which says nothing while a candidate catches up for hours. Who
   * holds a lock is told at once, so a server that hangs is not waited for.
   */
  static final MySqlOptions OPTIONS =
      new MySqlOptions(
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofDays(1),
          1);

  private final Sessions sessions;
  private final Topology topology;
  private final StorageCluster cluster;
  private final Map<Server, Session> held = new ConcurrentHashMap<>();

  /** How servers are reached. */
  interface Sessions extends AutoCloseable {
    Session open(Server server) throws SQLException;

    @Override
    void close();
  }

  /** A session on a server, with which its locks end. */
  interface Session extends AutoCloseable {
    /** No session has this id. */
    long NOBODY = 0;

    /**
     * Takes a lock, unless it holds it already.
     *
     * @return the id of the session that holds it, {@link #NOBODY} if that one has just given it
     *     free; empty if this one does
     */
    OptionalLong take(String lock) throws SQLException;

    @Override
    void close();
  }

  public ClusterLock(Credentials credentials, Topology topology, StorageCluster cluster) {
    // Of its own: who works through shards takes all connections of a pool.
    this(new PooledSessions(new Pools(credentials, OPTIONS)), topology, cluster);
  }

  ClusterLock(Sessions sessions, Topology topology, StorageCluster cluster) {
    this.sessions = sessions;
    this.topology = topology;
    this.cluster = cluster;
  }

  /**
   * Takes the lock.
   *
   * @param own a server of the cluster: the one that is promoted, else the master
   * @throws OperationException if another command holds it
   */
  public void acquire(Server own) {
    takeOn(own);
    var others =
        topology.clusters().stream()
            .filter(other -> !other.name().equals(cluster.name()))
            .map(StorageCluster::master)
            .toList();
    // Side by side: of a lost rack none answers, and all together cost the time of one.
    ServerInquiry.each(others, this::open);
    // In one order: of two commands that begin at once one gets them all.
    others.forEach(this::takeOnOpen);
  }

  /**
   * Makes sure that the lock is still held: a server that was restarted, or whoever ended the
   * session, has given it free. Then it is taken once more.
   *
   * @return whether it was held all the time
   * @throws OperationException if another command holds it by now
   */
  public boolean hold() {
    boolean unbroken = true;
    for (var server : List.copyOf(held.keySet())) {
      unbroken &= holdOn(server);
    }
    return unbroken;
  }

  private boolean holdOn(Server server) {
    try {
      take(server, held.get(server));
      return true;
    } catch (SQLException e) {
      forget(server);
      takeOn(server);
      return false;
    }
  }

  private void takeOn(Server server) {
    open(server);
    takeOnOpen(server);
  }

  private void open(Server server) {
    try {
      held.put(server, sessions.open(server));
    } catch (SQLException e) {
      // It does not answer, so it keeps nobody apart.
      forget(server);
    }
  }

  private void takeOnOpen(Server server) {
    var session = held.get(server);
    if (session == null) {
      return;
    }
    try {
      take(server, session);
    } catch (SQLException e) {
      // Nor does one that fell silent since.
      forget(server);
    }
  }

  private void forget(Server server) {
    Optional.ofNullable(held.remove(server)).ifPresent(Session::close);
  }

  private void take(Server server, Session session) throws SQLException {
    var lock = topology.instance() + "/" + cluster.name();
    var other = session.take(lock);
    if (isNobody(other)) {
      other = session.take(lock);
    }
    if (other.isPresent()) {
      var wait =
          "another command changes the servers of %s, by what %s says; wait for it"
              .formatted(cluster.name(), server.address());
      throw OperationException.refused(
          isNobody(other)
              ? wait
              : "%s. If the machine that ran it is gone, `KILL %d` there ends its session"
                  .formatted(wait, other.getAsLong()));
    }
  }

  private static boolean isNobody(OptionalLong holder) {
    return holder.isPresent() && holder.getAsLong() == Session.NOBODY;
  }

  @Override
  public void close() {
    held.values().forEach(Session::close);
    held.clear();
    sessions.close();
  }

  private record PooledSessions(Pools pools, ServerInquiry servers) implements Sessions {
    PooledSessions(Pools pools) {
      this(pools, new ServerInquiry(pools));
    }

    @Override
    public Session open(Server server) throws SQLException {
      return new PooledSession(servers.open(server));
    }

    @Override
    public void close() {
      pools.close();
    }
  }

  private record PooledSession(Connection connection) implements Session {
    /** The name of a lock may have 64 characters. */
    private static final String NAME = "CONCAT('cellmesh-', LEFT(SHA2(?, 256), 40))";

    @Override
    public OptionalLong take(String lock) throws SQLException {
      try (var query =
          connection.prepareStatement(
              // A session may take its own lock again.
              "SELECT GET_LOCK(%1$s, 0), IS_USED_LOCK(%1$s)".formatted(NAME))) {
        query.setString(1, lock);
        query.setString(2, lock);
        try (var row = query.executeQuery()) {
          row.next();
          // NULL of a lock that nobody holds reads as 0.
          return row.getInt(1) == 1 ? OptionalLong.empty() : OptionalLong.of(row.getLong(2));
        }
      }
    }

    @Override
    public void close() {
      try (connection;
          var statement = connection.createStatement()) {
        statement.execute("DO RELEASE_ALL_LOCKS()");
      } catch (SQLException e) {
        // It went with the connection.
      }
    }
  }
}
