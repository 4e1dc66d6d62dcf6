package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.index.MisfitException;
import io.cellmesh.connect.sink.base.PrimaryExecutor;
import io.cellmesh.connect.sink.base.PrimaryExecutor.Started;
import io.cellmesh.connect.sink.base.Rejections;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.Node;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.SchemaVersionException;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes batches to one cluster's master, one at a time. A master that can't be written is left
 * alone for a while. A batch that it did not take is forgotten: the partitions' {@link
 * PartitionProgress} knows from where to read again. An entry that a table can't hold is found by
 * halving the batch, and rejected; the others are written.
 *
 * <p>Used by the task's own thread alone; the statements run on another.
 */
final class ClusterWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterWriter.class);
  private static final int ATTEMPTS = 5;

  /** The back-off doubles with each failure in a row, so many times at most. */
  private static final int DOUBLINGS = 4;

  private final StorageCluster cluster;
  private final Node master;
  private final PrimaryExecutor primaries;
  private final Tables tables;
  private final Rejections rejections;
  private final IndexSinkMetrics metrics;
  private final long backoff;

  /** Used by the statements' thread alone. */
  private final Novelty novelty = new Novelty();

  private EntryBatch underway;
  private Started<Boolean> started;
  private long notBefore = System.nanoTime();
  private int failures;
  private volatile boolean checked;
  private volatile String trouble = "";

  /**
   * @param backoff milliseconds after a first failure
   */
  ClusterWriter(
      StorageCluster cluster,
      Node master,
      PrimaryExecutor primaries,
      Tables tables,
      Rejections rejections,
      IndexSinkMetrics metrics,
      long backoff) {
    this.cluster = cluster;
    this.master = master;
    this.primaries = primaries;
    this.tables = tables;
    this.rejections = rejections;
    this.metrics = metrics;
    this.backoff = TimeUnit.MILLISECONDS.toNanos(backoff);
  }

  String name() {
    return cluster.name();
  }

  /** Why the last batch could not be written, in words for the log; empty if it was. */
  String trouble() {
    return trouble;
  }

  /** Whether a batch may be begun now. */
  boolean ready() {
    return underway == null && master.healthy() && System.nanoTime() - notBefore >= 0;
  }

  /**
   * Looks once whether the indexes' tables are there; a master that is away is looked at before its
   * first batch.
   *
   * @throws ConnectException if they are missing or belong to another definition, or the instance's
   *     tables have another version than this program's
   */
  void check() {
    try {
      checkTables();
    } catch (SchemaVersionException e) {
      throw new ConnectException(e.getMessage(), e);
    } catch (NodeUnavailableException e) {
      LOG.warn("The master of {} is away, so it could not be checked", name());
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /**
   * Begins to write a batch.
   *
   * @throws IllegalStateException if the writer is not {@link #ready}
   */
  void start(EntryBatch batch) {
    started = primaries.start(cluster, () -> write(batch));
    underway = batch;
  }

  /**
   * Waits for the batch that is under way, if there is one. If it is not done by then, the master
   * is left alone until it answers; the batch may still arrive later.
   *
   * @param deadline a time of {@link System#nanoTime}
   * @throws ConnectException for what only a person can mend
   */
  void await(long deadline) {
    if (!settle(deadline) && master.healthy()) {
      trouble = "it does not answer in time";
      master.suspect();
    }
  }

  /**
   * Takes note of a batch that has ended since.
   *
   * @throws ConnectException for what only a person can mend
   */
  void settle() {
    settle(System.nanoTime());
  }

  private boolean settle(long deadline) {
    if (underway == null) {
      return true;
    }
    var written = started.await(deadline);
    if (written == null) {
      return false;
    }
    if (written) {
      tellRefused();
      underway.written(name());
      failures = 0;
    } else {
      notBefore = System.nanoTime() + (backoff << Math.min(failures++, DOUBLINGS));
    }
    underway = null;
    return true;
  }

  /** Whether all of it was written; if not, some of it may have been. */
  private boolean write(EntryBatch batch) {
    long begin = System.nanoTime();
    try {
      checkTables();
      if (!halved(batch)) {
        trouble = "locks are held by another";
        return false;
      }
    } catch (NodeUnavailableException e) {
      trouble = e.getMessage();
      return false;
    } catch (SQLException e) {
      throw failed(e);
    }
    trouble = "";
    metrics.written(name(), batch, System.nanoTime() - begin);
    return true;
  }

  /** Writes a batch, in halves of halves if a value of it is to blame, each in a transaction. */
  private boolean halved(EntryBatch batch) throws SQLException, NodeUnavailableException {
    try {
      return attempts(batch);
    } catch (SQLException e) {
      if (!MySqlErrors.isOfAValue(e)) {
        throw e;
      }
      if (batch.size() == 1) {
        batch.refuse(misfit(e));
        return true;
      }
      for (var half : batch.halves()) {
        if (!halved(half)) {
          return false;
        }
      }
      return true;
    }
  }

  /** Without the server's own words, which can quote the value. */
  private MisfitException misfit(SQLException e) {
    return new MisfitException(
        "record",
        "the table on %s can't hold a value of it (error %d, SQLState %s)"
            .formatted(name(), e.getErrorCode(), e.getSQLState()));
  }

  /** Each once, even if Kafka can't be told at the moment and this comes again. */
  private void tellRefused() {
    for (var refused : underway.takeRefused()) {
      rejections.reject(refused.record(), refused.reason());
      metrics.rejected();
    }
    rejections.await();
  }

  private boolean attempts(EntryBatch batch) throws SQLException, NodeUnavailableException {
    for (int attempt = 1; !attempt(batch); attempt++) {
      if (attempt == ATTEMPTS) {
        return false;
      }
    }
    return true;
  }

  private boolean attempt(EntryBatch batch) throws SQLException, NodeUnavailableException {
    try {
      master.call(connection -> tables.write(connection, batch, novelty));
      return true;
    } catch (SQLException e) {
      if (MySqlErrors.verdict(e) != MySqlErrors.Verdict.CONTENTION) {
        throw e;
      }
      return false;
    }
  }

  private void checkTables() throws SQLException, NodeUnavailableException {
    if (!checked) {
      var missing = master.call(connection -> tables.missing(connection, cluster));
      if (!missing.isEmpty()) {
        throw new ConnectException(
            "tables of the index %s are missing on %s (%s), or this user may not see them; create them, or run what `cellmesh grants --role index` prints"
                .formatted(String.join(" and ", missing), name(), master.server().address()));
      }
      checked = true;
    }
  }

  private ConnectException failed(SQLException e) {
    return new ConnectException(
        "master of %s (%s): %s"
            .formatted(name(), master.server().address(), MySqlErrors.explain(e)),
        e);
  }
}
