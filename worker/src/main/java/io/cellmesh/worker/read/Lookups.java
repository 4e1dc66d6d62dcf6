package io.cellmesh.worker.read;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.storage.CellLookup.Answer;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Priority;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks one server at a time for positions and cells. */
interface Lookups {
  /** Whether the last word from a server was a good one. */
  boolean healthy(Server server);

  /** Whether a question would be put to a server at once. */
  boolean idle(Server server);

  /**
   * Asks. To cancel the answer spares the server a question that it was not asked yet.
   *
   * @return the answer; or an {@link io.cellmesh.worker.load.UnavailableException} if the server is
   *     gone or busy, or a {@link io.cellmesh.worker.load.DeadlineException}
   * @throws io.cellmesh.worker.load.OverloadedException if too many wait for it already
   */
  CompletableFuture<Answer> look(
      Server server,
      Topology topology,
      Collection<Integer> partitions,
      List<? extends Ask> asks,
      Priority priority,
      Deadline deadline);

  /**
   * The same; may do it on this thread, which is then kept until the server has answered, for some
   * seconds at the most.
   */
  default CompletableFuture<Answer> lookHere(
      Server server,
      Topology topology,
      Collection<Integer> partitions,
      List<? extends Ask> asks,
      Priority priority,
      Deadline deadline) {
    return look(server, topology, partitions, asks, priority, deadline);
  }
}
