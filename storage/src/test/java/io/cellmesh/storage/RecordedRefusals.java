package io.cellmesh.storage;

import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.storage.Decision.Place;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Remembers what it is told; all records are of one topic a kind. */
final class RecordedRefusals implements Refusals {
  final List<Decision> conflicts = new ArrayList<>();
  final List<OffsetCell> misfits = new ArrayList<>();
  final List<String> reasons = new ArrayList<>();

  @Override
  public Place place(IngestTopic topic, int partition, OffsetCell cell) {
    return new Place(new UUID(7, topic.ordinal()), partition, cell.offset());
  }

  @Override
  public Optional<RefusedRecord> record(
      IngestTopic topic, int partition, OffsetCell cell, long room) {
    var value = cell.cell().key().toString().getBytes(StandardCharsets.UTF_8);
    return Optional.of(new RefusedRecord(new byte[] {1}, value, List.of(), 1));
  }

  @Override
  public void conflict(OffsetCell cell, Decision decision) {
    conflicts.add(decision);
  }

  @Override
  public void misfit(
      IngestTopic topic, int partition, OffsetCell cell, InvalidCellException reason) {
    misfits.add(cell);
    reasons.add(reason.getMessage());
  }
}
