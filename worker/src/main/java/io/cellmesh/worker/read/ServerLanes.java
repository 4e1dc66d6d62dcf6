package io.cellmesh.worker.read;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.storage.ConnectionCallback;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Lane;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.load.UnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A lane of threads for each MySQL server, before its breaker and its connections. Thread-safe. */
public final class ServerLanes implements AutoCloseable {
  /** Longest wait for the answer to one statement; longer waits open the server's breaker. */
  public static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final int THREADS = 8;
  private static final int WAITING = 512;

  /** For those who ask without a lane: a watch, and the index pages. */
  private static final int MORE_CONNECTIONS = 6;

  /** What the connections to a worker's servers are like. */
  public static final MySqlOptions OPTIONS =
      new MySqlOptions(
          Duration.ofSeconds(1),
          Duration.ofSeconds(3),
          Duration.ofSeconds(1),
          Duration.ofSeconds(60),
          THREADS + MORE_CONNECTIONS);

  private final Nodes nodes;
  private final ConcurrentHashMap<String, Lane> lanes = new ConcurrentHashMap<>();

  public ServerLanes(Nodes nodes) {
    this.nodes = nodes;
  }

  /** Whether the last word from a server was a good one. */
  public boolean healthy(Server server) {
    return nodes.of(server).healthy();
  }

  /**
   * Has a server asked in its lane.
   *
   * @return the answer, or an {@link UnavailableException} if the server is gone or busy
   * @throws io.cellmesh.worker.load.OverloadedException if too many wait for it already
   */
  public <T> CompletableFuture<T> ask(
      Server server, Priority priority, Deadline deadline, ConnectionCallback<T> question) {
    return lanes
        .computeIfAbsent(server.address(), address -> new Lane(address, THREADS, WAITING))
        .run(priority, deadline, () -> ask(server, question));
  }

  /**
   * Asks a server on this thread.
   *
   * @throws UnavailableException if the server is gone or busy
   * @throws SQLException for everything else that MySQL refuses
   */
  public <T> T ask(Server server, ConnectionCallback<T> question) throws SQLException {
    try {
      return nodes.of(server).read(PATIENCE, question);
    } catch (NodeUnavailableException e) {
      throw new UnavailableException(e.getMessage());
    } catch (SQLException e) {
      if (MySqlErrors.verdict(e) == MySqlErrors.Verdict.FATAL) {
        throw e;
      }
      throw new UnavailableException(server.address() + ": " + MySqlErrors.explain(e));
    }
  }

  /** Leaves a server alone that somebody else has found not to answer, until a probe is. */
  public void suspect(Server server) {
    nodes.of(server).suspect();
  }

  /** Of the servers that were asked so far, by address. */
  public Map<String, Lane> lanes() {
    return new TreeMap<>(lanes);
  }

  @Override
  public void close() {
    lanes.values().forEach(Lane::close);
    nodes.close();
  }
}
