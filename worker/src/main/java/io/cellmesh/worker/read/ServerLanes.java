package io.cellmesh.worker.read;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.storage.CellLookup;
import io.cellmesh.storage.CellLookup.Answer;
import io.cellmesh.storage.CellLookup.Ask;
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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** A lane for each MySQL server, before its breaker and its connections. Thread-safe. */
public final class ServerLanes implements Lookups, AutoCloseable {
  /** Longest wait for the answer to one statement; longer waits open the server's breaker. */
  public static final Duration PATIENCE = Duration.ofSeconds(1);

  /** Of bodies in one answer; all that wait to be sent are in memory. */
  private static final long MOST_BYTES = 16 << 20;

  private static final int THREADS = 8;

  /**
   * Most threads of callers that wait for servers, however many servers hang: over a hundred are
   * left to those who ask others.
   */
  private static final int CALLERS = 64;

  private static final int WAITING = 512;

  /** For those who ask without a lane: a watch, and the index pages. */
  private static final int MORE_CONNECTIONS = 6;

  /** For a connection, and for the answer over it. */
  private static final Duration LONGEST = Duration.ofMillis(2_500);

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
  private final Semaphore callers = new Semaphore(CALLERS);

  public ServerLanes(Nodes nodes) {
    this.nodes = nodes;
  }

  @Override
  public boolean healthy(Server server) {
    return nodes.of(server).healthy();
  }

  @Override
  public boolean idle(Server server) {
    return lane(server).idle();
  }

  @Override
  public CompletableFuture<Answer> look(
      Server server,
      Topology topology,
      Collection<Integer> partitions,
      List<? extends Ask> asks,
      Priority priority,
      Deadline deadline) {
    return lane(server).run(priority, deadline, look(server, topology, partitions, asks));
  }

  /**
   * Does it on this thread unless others wait before it, too many callers' threads wait for servers
   * already, or the deadline is so near that a server which hangs would be waited for beyond it.
   */
  @Override
  public CompletableFuture<Answer> lookHere(
      Server server,
      Topology topology,
      Collection<Integer> partitions,
      List<? extends Ask> asks,
      Priority priority,
      Deadline deadline) {
    if (deadline.left().compareTo(LONGEST) < 0 || !callers.tryAcquire()) {
      return look(server, topology, partitions, asks, priority, deadline);
    }
    try {
      return lane(server).runHere(priority, deadline, look(server, topology, partitions, asks));
    } finally {
      callers.release();
    }
  }

  private Callable<Answer> look(
      Server server, Topology topology, Collection<Integer> partitions, List<? extends Ask> asks) {
    var lookup = new CellLookup(topology, MOST_BYTES);
    return () -> ask(server, connection -> lookup.ask(connection, partitions, asks));
  }

  private Lane lane(Server server) {
    return lanes.computeIfAbsent(server.address(), address -> new Lane(address, THREADS, WAITING));
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
