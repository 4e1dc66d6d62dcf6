package io.cellmesh.worker.position;

import io.cellmesh.cell.Cell;
import java.util.Objects;

/**
 * A cell that Kafka acknowledged and whose writer waits.
 *
 * @param partition of the ingest topic
 * @param offset of its record there
 * @param deadline by the clock that the watch goes by, in nanoseconds
 */
public record PendingWrite(Cell cell, int partition, long offset, WaitFor waitFor, long deadline) {
  public PendingWrite {
    Objects.requireNonNull(cell, "cell");
    Objects.requireNonNull(waitFor, "waitFor");
  }
}
