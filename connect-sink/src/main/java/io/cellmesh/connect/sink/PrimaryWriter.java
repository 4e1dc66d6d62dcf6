package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.EntityTable;
import io.cellmesh.storage.EntityTable.Conflict;
import io.cellmesh.storage.EpochTable;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PositionTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes cells and positions to a primary in one transaction: lock the positions, compare them with
 * what the writer remembers, insert the cells in offset order, advance the positions (invariant 2).
 * Thread-safe.
 */
final class PrimaryWriter {
  private static final int ATTEMPTS = 3;

  private final Topology topology;
  private final Nodes nodes;
  private final PositionTable positions;
  private final EntityTable entities;
  private final EpochTable epochs;
  private final Conflicts conflicts;

  PrimaryWriter(Topology topology, Nodes nodes, Conflicts conflicts) {
    this.topology = topology;
    this.nodes = nodes;
    this.conflicts = conflicts;
    this.positions = new PositionTable(topology);
    this.entities = new EntityTable(topology);
    this.epochs = new EpochTable(topology);
  }

  /**
   * What one lane wants written.
   *
   * @param expected the position that the writer remembers
   * @param next the position after it
   * @param cells by topic, in offset order
   */
  record Write(
      int partition, Position expected, Position next, Map<IngestTopic, List<OffsetCell>> cells) {}

  /** How a transaction ended. */
  sealed interface Result {
    /** It is committed. */
    record Applied(EntityTable.Outcome outcome) implements Result {}

    /** Nothing was written: some positions are not what the writer remembers. */
    record Moved(Map<Integer, Position> found) implements Result {}
  }

  /**
   * Runs one transaction; on lock contention again, up to {@value #ATTEMPTS} times.
   *
   * @throws NodeUnavailableException if the primary is gone; the transaction may have been
   *     committed
   * @throws SQLException if locks stayed in the way, or for what only a person can mend
   */
  Result write(StorageCluster primary, List<Write> writes)
      throws SQLException, NodeUnavailableException {
    for (int attempt = 1; ; attempt++) {
      try {
        return nodes
            .of(primary.master())
            .transact(connection -> write(connection, primary, writes));
      } catch (SQLException e) {
        if (MySqlErrors.verdict(e) != MySqlErrors.Verdict.CONTENTION || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** The positions of partitions as the primary has them now. */
  Map<Integer, Position> positions(StorageCluster primary, List<Integer> partitions)
      throws SQLException, NodeUnavailableException {
    return nodes.of(primary.master()).call(connection -> positions.read(connection, partitions));
  }

  private Result write(Connection connection, StorageCluster primary, List<Write> writes)
      throws SQLException {
    var found = positions.lock(connection, writes.stream().map(Write::partition).toList());
    epochs.check(connection, primary);
    for (var write : writes) {
      if (!write.expected().equals(found.get(write.partition()))) {
        return new Result.Moved(found);
      }
    }
    var outcome = insert(connection, writes);
    positions.store(connection, next(writes));
    return new Result.Applied(outcome);
  }

  private EntityTable.Outcome insert(Connection connection, List<Write> writes)
      throws SQLException {
    var outcome = new EntityTable.Outcome(0, 0, List.of());
    for (var write : writes) {
      for (var entry : write.cells().entrySet()) {
        for (var shard : byShard(entry.getValue()).entrySet()) {
          var inserted = entities.insert(connection, shard.getKey(), shard.getValue());
          // Before the commit: after it nothing would lead back to a conflict that was not told.
          report(entry.getKey(), write.partition(), inserted.conflicts());
          outcome = outcome.plus(inserted);
        }
      }
    }
    return outcome;
  }

  private void report(IngestTopic topic, int partition, List<Conflict> found) {
    if (!found.isEmpty()) {
      conflicts.report(topic, partition, found);
    }
  }

  private Map<Integer, List<OffsetCell>> byShard(List<OffsetCell> cells) {
    var byShard = new TreeMap<Integer, List<OffsetCell>>();
    for (var cell : cells) {
      int shard = topology.shards().of(cell.cell().key().rowKey());
      byShard.computeIfAbsent(shard, s -> new ArrayList<>()).add(cell);
    }
    return byShard;
  }

  private static Map<Integer, Position> next(List<Write> writes) {
    var next = new HashMap<Integer, Position>();
    writes.forEach(write -> next.put(write.partition(), write.next()));
    return next;
  }

  /** Where conflicts are told; returns when that is durable. */
  @FunctionalInterface
  interface Conflicts {
    void report(IngestTopic topic, int partition, Collection<Conflict> conflicts);
  }
}
