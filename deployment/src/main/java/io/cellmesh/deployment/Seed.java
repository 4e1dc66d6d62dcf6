package io.cellmesh.deployment;

import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.RememberedLog;
import java.util.List;
import java.util.Optional;

/**
 * What {@code trips.seed.DC} holds of a peer's own cells, for a data centre that joins after the
 * peer's log was cut.
 *
 * @param id Kafka's ids of the cluster and of the topic; places in it mean something in no other
 * @param parts one a partition, in their order
 */
public record Seed(RememberedLog id, List<Part> parts) {
  public Seed {
    parts = List.copyOf(parts);
  }

  /**
   * A partition, of which there may be none, some or all.
   *
   * @param log where the peer's log goes on behind it; empty while nothing is written
   * @param complete whether all cells are there
   * @param last the last cell that is written; empty before the first
   * @param begin the offset of the first record that there is
   * @param end the offset behind the last one
   */
  public record Part(
      int partition,
      Optional<MeshPlace> log,
      boolean complete,
      Optional<LogRecord> last,
      long begin,
      long end) {
    /** Whether it goes with the log that is named. */
    public boolean goesWith(RememberedLog other) {
      return log.isPresent() && log.get().log().equals(other);
    }
  }
}
