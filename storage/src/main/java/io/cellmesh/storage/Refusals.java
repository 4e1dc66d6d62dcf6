package io.cellmesh.storage;

import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.storage.Decision.Place;
import java.util.Optional;

/**
 * What a writer knows of the records that cells came from, for those that are refused. Called while
 * the positions are locked; what it throws rolls back.
 */
public interface Refusals {
  /** Where a cell's record stands in Kafka, for ever. */
  Place place(IngestTopic topic, int partition, OffsetCell cell);

  /**
   * A cell's record, or what stands for it where only a copy of the cell is left.
   *
   * @param room most bytes that a record may have which did not come with the batch: a copy's body
   *     may be a thousand times as large when it is written out
   * @return empty if it is to be fetched when it is told
   */
  Optional<RefusedRecord> record(IngestTopic topic, int partition, OffsetCell cell, long room);

  /** A conflict was written into the ledger, for the first time, and is about to be committed. */
  default void conflict(OffsetCell cell, Decision decision) {}

  /** The database takes a value of a cell in no case, so the cell is left out. */
  void misfit(IngestTopic topic, int partition, OffsetCell cell, InvalidCellException reason);

  /** Returns when all that was told is durable. */
  default void await() {}
}
