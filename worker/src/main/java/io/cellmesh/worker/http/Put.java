package io.cellmesh.worker.http;

import io.cellmesh.cell.Cell;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.position.WaitFor;
import io.cellmesh.worker.site.Instance;
import io.javalin.http.Context;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** What a call that writes, one cell or many, says of each. */
record Put(Instance instance, WaitFor waitFor, Priority priority, Deadline deadline) {
  /**
   * Reads a call.
   *
   * @param clock in nanoseconds
   * @throws ProblemException if the instance is not served here, or a parameter breaks its rule
   */
  static Put of(Context call, Instances instances, LongSupplier clock) {
    var instance = instances.of(call);
    var parameters = new Parameters(call, clock, Parameters.OF_WRITES);
    return new Put(instance, parameters.waitFor(), parameters.priority(), parameters.deadline());
  }

  /**
   * Writes a cell.
   *
   * @param figures counts how its wait ended
   * @return what the writer is told; fails, or throws at once, if the cell is not known to be
   *     accepted
   */
  CompletableFuture<WriteAnswer> write(Cell cell, Figures figures) {
    return instance
        .write(cell, waitFor, priority, deadline)
        .thenApply(
            written -> {
              figures.waited(waitFor, written.outcome());
              return WriteAnswer.of(written);
            });
  }
}
