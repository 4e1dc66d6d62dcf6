package io.cellmesh.worker.status;

import io.cellmesh.cell.RecordPosition;
import io.cellmesh.worker.load.Deadline;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The state of an instance, as a worker has seen it. All but {@link #row} answers at once with what
 * was seen last: whoever asks makes nobody else be asked.
 */
public interface Status {
  StatusView.Overview overview();

  StatusView.Shards shards();

  StatusView.Indexes indexes();

  StatusView.Refused refused();

  StatusView.Triggers triggers();

  StatusView.Buffers buffers();

  /**
   * Looks for a row in every place where its cells may be; a place that does not answer within the
   * deadline is told as such.
   *
   * @param position of one of its records in the ingest topic, if it is known
   * @throws io.cellmesh.worker.load.OverloadedException if too many look already
   */
  CompletableFuture<StatusView.Row> row(
      UUID row, Optional<RecordPosition> position, Deadline deadline);
}
