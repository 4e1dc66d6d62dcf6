package io.cellmesh.worker.site;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.RecordPosition;
import io.cellmesh.cell.Topology;
import io.cellmesh.operations.mesh.scrub.ScrubFigures;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Gate;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.position.WaitFor;
import io.cellmesh.worker.read.CellReads.Terms;
import io.cellmesh.worker.read.IndexReads.ServedPage;
import io.cellmesh.worker.read.ReadFrom;
import io.cellmesh.worker.read.Served;
import io.cellmesh.worker.status.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * An instance as the calls see it. What is asked of it is a future, which ends with an answer, with
 * an {@link io.cellmesh.worker.load.UnavailableException}, or with an {@link
 * io.cellmesh.worker.load.OverloadedException} that may be thrown at once as well.
 */
public interface Instance {
  /** The map as it is now. */
  Topology topology();

  /** Writes a cell, and waits until it is as far as asked for or the deadline comes. */
  CompletableFuture<Written> write(
      Cell cell, WaitFor waitFor, Priority priority, Deadline deadline);

  /**
   * Reads cells of rows that one cluster owns.
   *
   * @throws IllegalArgumentException if they are of several
   */
  CompletableFuture<Served> read(List<? extends Ask> asks, Terms terms);

  /** The name of the cluster that owns a row. */
  String clusterOf(UUID rowKey);

  /**
   * Reads a page of an index; an {@link io.cellmesh.storage.index.IndexQueryException} says that
   * there is none of the name, or that the query does not fit it.
   */
  CompletableFuture<ServedPage> page(
      String index, IndexQuery query, ReadFrom from, Priority priority, Deadline deadline);

  /** Whether a position is one of this data centre's ingest topic as it is now. */
  boolean isOf(RecordPosition position);

  /**
   * Why it can serve nothing; empty if it can. A cluster or a Kafka that is down is no reason: it
   * is so for all workers, and they serve the rest.
   */
  Optional<String> trouble();

  /** Whether a server answered when it was last asked, by address; {@code kafka} is the brokers. */
  Map<String, Boolean> healthy();

  /** Every queue, by what waits for what. */
  Map<String, Gate> gates();

  /** How often a read was asked of a second server as well, by how that ended. */
  Map<String, Long> hedges();

  /** How it is, for people to see. */
  Status status();

  /** What was read of its tables to prove them; empty if nothing is. */
  Optional<ScrubFigures> scrub();

  /** How often each cluster was looked at for those who wait, by name. */
  Map<String, Long> looks();
}
