package io.cellmesh.storage;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferTable.Ends;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes copies that are no longer needed. A copy goes only when its primary lists at least one
 * minion and the position on every listed one is past it (invariant 5): the cells then stand on two
 * servers of the primary's own.
 */
public final class CopyReaper {
  private static final Logger LOG = LoggerFactory.getLogger(CopyReaper.class);
  private static final int ROWS_AT_ONCE = 1000;

  private final Topology topology;
  private final Nodes nodes;
  private final BufferTable buffer;
  private final PositionTable positions;

  public CopyReaper(Topology topology, Nodes nodes, BufferTable buffer) {
    this.topology = topology;
    this.nodes = nodes;
    this.buffer = buffer;
    this.positions = new PositionTable(topology);
  }

  /**
   * Goes once through the buffers of all clusters that can be reached.
   *
   * @param which primary, topic and partition to look at
   * @return how many copies went
   */
  public long run(Predicate<Ends> which) throws SQLException {
    var safe = new HashMap<String, Map<Integer, Position>>();
    long gone = 0;
    for (var secondary : topology.clusters()) {
      try {
        gone += reap(nodes.of(secondary.master()), which, safe);
      } catch (NodeUnavailableException e) {
        LOG.debug("{} can't be asked for its buffer: {}", secondary.name(), e.getMessage());
      }
    }
    return gone;
  }

  private long reap(Node secondary, Predicate<Ends> which, Map<String, Map<Integer, Position>> safe)
      throws SQLException, NodeUnavailableException {
    long gone = 0;
    for (var ends : secondary.call(buffer::ends)) {
      var primary = primary(ends.primary());
      if (primary.isEmpty() || !which.test(ends)) {
        continue;
      }
      long upTo = upTo(primary.get(), ends, safe);
      int deleted = ROWS_AT_ONCE;
      while (ends.first() <= upTo && deleted == ROWS_AT_ONCE) {
        deleted =
            secondary.call(
                c ->
                    buffer.reap(
                        c, primary.get(), ends.topic(), ends.partition(), upTo, ROWS_AT_ONCE));
        gone += deleted;
      }
    }
    return gone;
  }

  private Optional<StorageCluster> primary(String name) {
    return topology.clusters().stream().filter(c -> c.name().equals(name)).findFirst();
  }

  private long upTo(StorageCluster primary, Ends ends, Map<String, Map<Integer, Position>> safe)
      throws SQLException {
    var known = safe.get(primary.name());
    if (known == null) {
      known = replicated(primary);
      safe.put(primary.name(), known);
    }
    return known.getOrDefault(ends.partition(), Position.START).of(ends.topic());
  }

  /**
   * The positions that every listed minion has reached; none if there is no minion or one is gone.
   */
  private Map<Integer, Position> replicated(StorageCluster primary) throws SQLException {
    var all =
        IntStream.range(0, topology.shards().partitions()).boxed().collect(Collectors.toList());
    Map<Integer, Position> lowest = null;
    for (var minion : primary.minions()) {
      try {
        var found = nodes.of(minion).call(connection -> positions.read(connection, all));
        lowest = lowest == null ? found : lowest(lowest, found);
      } catch (NodeUnavailableException e) {
        LOG.debug("minion {} can't be asked for its positions: {}", minion, e.getMessage());
        return Map.of();
      }
    }
    return lowest == null ? Map.of() : lowest;
  }

  private static Map<Integer, Position> lowest(
      Map<Integer, Position> one, Map<Integer, Position> other) {
    var lowest = new HashMap<Integer, Position>();
    one.forEach(
        (partition, position) -> {
          var second = other.getOrDefault(partition, Position.START);
          lowest.put(
              partition,
              new Position(
                  lower(position.cells(), second.cells()), lower(position.mesh(), second.mesh())));
        });
    return lowest;
  }

  private static Mark lower(Mark one, Mark other) {
    return one.next() <= other.next() ? one : other;
  }
}
