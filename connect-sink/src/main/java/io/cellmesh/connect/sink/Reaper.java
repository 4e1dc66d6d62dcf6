package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferTable;
import io.cellmesh.storage.BufferTable.Depth;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PositionTable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes copies of the owned partitions, in the background. A copy goes only when its primary
 * lists at least one minion and the position on every listed one is past it (invariant 5): the
 * cells then stand on two servers of the primary's own.
 */
final class Reaper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Reaper.class);
  private static final int ROWS_AT_ONCE = 200;

  private final Topology topology;
  private final Nodes nodes;
  private final BufferTable buffer;
  private final PositionTable positions;
  private final Lanes lanes;
  private final ScheduledExecutorService thread;

  Reaper(Topology topology, Nodes nodes, BufferTable buffer, Lanes lanes, String name) {
    this.topology = topology;
    this.nodes = nodes;
    this.buffer = buffer;
    this.positions = new PositionTable(topology);
    this.lanes = lanes;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              var daemon = new Thread(task, name);
              daemon.setDaemon(true);
              return daemon;
            });
  }

  void start(Duration interval) {
    thread.scheduleWithFixedDelay(
        this::run, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void run() {
    var owned = lanes.partitions();
    if (owned.isEmpty()) {
      return;
    }
    try {
      var safe = new HashMap<String, Map<Integer, Position>>();
      for (var secondary : topology.clusters()) {
        reap(secondary, owned, safe);
      }
    } catch (SQLException | RuntimeException e) {
      // The schedule must survive; what is not reaped now is reaped later.
      LOG.warn("copies can't be reaped now: {}", e.getMessage());
    }
  }

  private void reap(
      StorageCluster secondary, Set<Integer> owned, Map<String, Map<Integer, Position>> safe)
      throws SQLException {
    try {
      var node = nodes.of(secondary.master());
      for (var depth : node.call(connection -> buffer.depth(connection, owned))) {
        long upTo = upTo(depth, owned, safe);
        if (depth.firstEnd() <= upTo) {
          node.call(
              connection ->
                  buffer.reap(
                      connection,
                      depth.primary(),
                      depth.topic(),
                      depth.partition(),
                      upTo,
                      ROWS_AT_ONCE));
        }
      }
    } catch (NodeUnavailableException e) {
      LOG.debug("{} can't be asked for its buffer: {}", secondary.name(), e.getMessage());
    }
  }

  private long upTo(Depth depth, Set<Integer> owned, Map<String, Map<Integer, Position>> safe)
      throws SQLException {
    var known = safe.get(depth.primary());
    if (known == null) {
      known = replicated(topology.cluster(depth.primary()), owned);
      safe.put(depth.primary(), known);
    }
    return known.getOrDefault(depth.partition(), Position.START).of(depth.topic());
  }

  /**
   * The positions that every listed minion has reached; none if there is no minion or one is gone.
   */
  private Map<Integer, Position> replicated(StorageCluster primary, Set<Integer> owned)
      throws SQLException {
    Map<Integer, Position> lowest = null;
    for (var minion : primary.minions()) {
      try {
        var found =
            nodes.of(minion).call(connection -> positions.read(connection, List.copyOf(owned)));
        lowest = lowest == null ? found : lower(lowest, found);
      } catch (NodeUnavailableException e) {
        LOG.debug("minion {} of {} can't be asked: {}", minion, primary.name(), e.getMessage());
        return Map.of();
      }
    }
    return lowest == null ? Map.of() : lowest;
  }

  private static Map<Integer, Position> lower(
      Map<Integer, Position> one, Map<Integer, Position> other) {
    var lowest = new HashMap<Integer, Position>();
    one.forEach(
        (partition, position) -> {
          var second = other.getOrDefault(partition, Position.START);
          lowest.put(
              partition,
              new Position(
                  Math.min(position.cells(), second.cells()),
                  Math.min(position.mesh(), second.mesh())));
        });
    return lowest;
  }
}
