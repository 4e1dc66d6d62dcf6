package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.SinkMetric.Hop;
import io.cellmesh.connect.sink.SinkMetric.Outcome;
import io.cellmesh.storage.EntityTable;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.Position;
import io.cellmesh.storage.PrimaryStore;
import io.cellmesh.storage.Refusals;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs transactions on primaries, and says what a failure means. Thread-safe. */
final class PrimaryWriter {
  private static final Logger LOG = LoggerFactory.getLogger(PrimaryWriter.class);

  private final PrimaryStore store;
  private final PrimaryPaces paces;
  private final SinkMetrics metrics;

  PrimaryWriter(PrimaryStore store, PrimaryPaces paces, SinkMetrics metrics) {
    this.store = store;
    this.paces = paces;
    this.metrics = metrics;
  }

  /**
   * Runs one transaction; on lock contention again, a few times.
   *
   * @param refusals told what is refused
   * @param beforeCommit called in each attempt when everything is written
   * @return empty if the primary is gone, its locks stayed in the way, or something else that is to
   *     come first can't be done now; the transaction may have been committed all the same
   * @throws ConnectException for what only a person can mend
   */
  Optional<Result> write(
      StorageCluster primary, List<Write> writes, Refusals refusals, Runnable beforeCommit) {
    try {
      return Optional.of(attempt(primary, writes, refusals, beforeCommit));
    } catch (SQLException e) {
      throw fatal(primary, e);
    } catch (NodeUnavailableException e) {
      LOG.warn(
          "primary {} can't be written, its cells wait in the buffers: {}",
          primary.name(),
          e.getMessage());
      return Optional.empty();
    } catch (RetriableException e) {
      LOG.warn("nothing is written on {} now: {}", primary.name(), e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * The positions of partitions as the primary has them now; empty if it is gone.
   *
   * @throws ConnectException for what only a person can mend
   */
  Optional<Map<Integer, Position>> positions(
      StorageCluster primary, Collection<Integer> partitions) {
    long begin = paces.begin(primary);
    boolean taken = false;
    try {
      var found = store.positions(primary, partitions);
      taken = true;
      return Optional.of(found);
    } catch (NodeUnavailableException e) {
      LOG.debug("primary {} can't be read: {}", primary.name(), e.getMessage());
      return Optional.empty();
    } catch (SQLException e) {
      throw fatal(primary, e);
    } finally {
      paces.ended(primary, begin, taken);
    }
  }

  private Result attempt(
      StorageCluster primary, List<Write> writes, Refusals refusals, Runnable beforeCommit)
      throws SQLException, NodeUnavailableException {
    var begin = new AtomicLong(paces.begin(primary));
    boolean taken = false;
    long commit = 0;
    // What it waits for before the commit is no time of the primary's.
    Runnable timed =
        () -> {
          metrics.hop(Hop.ENTITY, paces.ended(primary, begin.get(), true));
          try {
            beforeCommit.run();
          } finally {
            begin.set(paces.begin(primary));
          }
        };
    Result result;
    try {
      result = store.write(primary, writes, refusals, timed);
      taken = true;
    } finally {
      commit = paces.ended(primary, begin.get(), taken);
    }
    if (result instanceof Result.Applied applied) {
      metrics.hop(Hop.COMMIT, commit);
      count(applied.outcome());
    }
    return result;
  }

  private void count(EntityTable.Outcome outcome) {
    metrics.outcome(Outcome.STORED, outcome.stored());
    metrics.outcome(Outcome.DUPLICATE, outcome.duplicates());
    metrics.outcome(Outcome.CONFLICT, outcome.conflicts().size());
    metrics.outcome(Outcome.REJECTED, outcome.misfits());
    outcome
        .conflicts()
        .forEach(decision -> metrics.conflict(decision.keptOrigin(), decision.refusedOrigin()));
  }

  private static ConnectException fatal(StorageCluster primary, SQLException e) {
    return new ConnectException(
        "primary %s (%s): %s"
            .formatted(primary.name(), primary.master().address(), MySqlErrors.explain(e)),
        e);
  }
}
