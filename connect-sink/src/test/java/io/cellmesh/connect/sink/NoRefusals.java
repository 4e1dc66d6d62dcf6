package io.cellmesh.connect.sink;

import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.OffsetCell;
import io.cellmesh.storage.Refusals;
import io.cellmesh.storage.RefusedRecord;
import java.util.Optional;

/** For writers that refuse no cell. */
final class NoRefusals implements Refusals {
  @Override
  public Place place(IngestTopic topic, int partition, OffsetCell cell) {
    throw new AssertionError(cell);
  }

  @Override
  public Optional<RefusedRecord> record(
      IngestTopic topic, int partition, OffsetCell cell, long room) {
    throw new AssertionError(cell);
  }

  @Override
  public void misfit(
      IngestTopic topic, int partition, OffsetCell cell, InvalidCellException reason) {
    throw new AssertionError(reason);
  }
}
