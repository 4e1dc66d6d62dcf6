package io.cellmesh.worker.read;

import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An answer, and whose it is.
 *
 * @param by {@code CLUSTER/ROLE/HOST:PORT}
 * @param staleUpTo what it may lack: seconds, or {@code unknown}; empty if it is the master's, and
 *     the master is open
 * @param found for each thing asked for its cells
 */
public record Served(String by, Optional<String> staleUpTo, List<List<LogRecord>> found) {
  /** The bound where nobody can tell one. */
  public static final String UNKNOWN = "unknown";

  static Served byMaster(StorageCluster cluster, Server server, List<List<LogRecord>> found) {
    return new Served(name(cluster, "master", server), Optional.empty(), found);
  }

  /** Of a master that takes no writes: as it was restarted, or from whatever backup. */
  static Served byClosedMaster(StorageCluster cluster, Server server, List<List<LogRecord>> found) {
    return new Served(name(cluster, "master", server), Optional.of(UNKNOWN), found);
  }

  /**
   * @param stale empty if nobody can tell
   */
  static Served byMinion(
      StorageCluster cluster,
      Server server,
      Optional<Duration> stale,
      List<List<LogRecord>> found) {
    return new Served(
        name(cluster, "minion", server),
        Optional.of(stale.map(Served::seconds).orElse(UNKNOWN)),
        found);
  }

  static String name(StorageCluster cluster, String role, Server server) {
    return cluster.name() + "/" + role + "/" + server.address();
  }

  /** Never less than it is. */
  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.3f", Math.ceil(duration.toNanos() / 1e6) / 1e3);
  }
}
