package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.SinkMetric.Hop;
import io.cellmesh.connect.sink.SinkMetric.Outcome;
import io.cellmesh.storage.EntityTable;
import io.cellmesh.storage.EntityTransaction;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PositionTable;
import io.cellmesh.storage.Refusals;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs transactions on primaries, and says what a failure means. Thread-safe. */
final class PrimaryWriter {
  private static final Logger LOG = LoggerFactory.getLogger(PrimaryWriter.class);

  private final Nodes nodes;
  private final PositionTable positions;
  private final EntityTransaction transaction;
  private final Refusals refusals;
  private final SinkMetrics metrics;

  PrimaryWriter(Topology topology, Nodes nodes, Refusals refusals, SinkMetrics metrics) {
    this.nodes = nodes;
    this.refusals = refusals;
    this.metrics = metrics;
    this.positions = new PositionTable(topology);
    this.transaction = new EntityTransaction(topology);
  }

  /**
   * Runs one transaction; on lock contention again, a few times.
   *
   * @param beforeCommit called in each attempt when everything is written
   * @return empty if the primary is gone or its locks stayed in the way; the transaction may have
   *     been committed all the same
   * @throws ConnectException for what only a person can mend
   */
  Optional<Result> write(StorageCluster primary, List<Write> writes, Runnable beforeCommit) {
    try {
      return Optional.of(attempt(primary, writes, beforeCommit));
    } catch (SQLException e) {
      throw fatal(primary, e);
    } catch (NodeUnavailableException e) {
      LOG.warn(
          "primary {} can't be written, its cells wait in the buffers: {}",
          primary.name(),
          e.getMessage());
      return Optional.empty();
    }
  }

  /** The primary did not answer in time: nobody else shall wait for it. */
  void suspect(StorageCluster primary) {
    nodes.of(primary.master()).suspect();
  }

  /**
   * The positions of partitions as the primary has them now; empty if it is gone.
   *
   * @throws ConnectException for what only a person can mend
   */
  Optional<Map<Integer, Position>> positions(
      StorageCluster primary, Collection<Integer> partitions) {
    try {
      return Optional.of(
          nodes.of(primary.master()).read(connection -> positions.read(connection, partitions)));
    } catch (NodeUnavailableException e) {
      LOG.debug("primary {} can't be read: {}", primary.name(), e.getMessage());
      return Optional.empty();
    } catch (SQLException e) {
      throw fatal(primary, e);
    }
  }

  private Result attempt(StorageCluster primary, List<Write> writes, Runnable beforeCommit)
      throws SQLException, NodeUnavailableException {
    var clock = new AtomicLong(System.nanoTime());
    Runnable timed =
        () -> {
          metrics.hop(Hop.ENTITY, System.nanoTime() - clock.get());
          beforeCommit.run();
          clock.set(System.nanoTime());
        };
    var result =
        nodes.of(primary.master()).write(c -> transaction.run(c, primary, writes, refusals, timed));
    if (result instanceof Result.Applied applied) {
      metrics.hop(Hop.COMMIT, System.nanoTime() - clock.get());
      count(applied.outcome());
    }
    return result;
  }

  private void count(EntityTable.Outcome outcome) {
    metrics.outcome(Outcome.STORED, outcome.stored());
    metrics.outcome(Outcome.DUPLICATE, outcome.duplicates());
    metrics.outcome(Outcome.CONFLICT, outcome.conflicts().size());
    metrics.outcome(Outcome.REJECTED, outcome.misfits());
  }

  private static ConnectException fatal(StorageCluster primary, SQLException e) {
    return new ConnectException(
        "primary %s (%s): %s"
            .formatted(primary.name(), primary.master().address(), MySqlErrors.explain(e)),
        e);
  }
}
