package io.cellmesh.worker.status;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.storage.CellLookup.Answer;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Priority;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** How the MySQL servers of the data centre are read; nobody waits for one that hangs. */
@FunctionalInterface
public interface ServerReading {
  /**
   * Asks a server for its positions and for cells.
   *
   * @return the answer, which fails if the server is gone or busy
   * @throws io.cellmesh.worker.load.OverloadedException if too many wait for it already
   */
  CompletableFuture<Answer> read(
      Server server,
      Topology topology,
      Collection<Integer> partitions,
      List<? extends Ask> asks,
      Priority priority,
      Deadline deadline);
}
