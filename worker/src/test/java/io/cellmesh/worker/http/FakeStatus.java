package io.cellmesh.worker.http;

import io.cellmesh.cell.RecordPosition;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.status.Alarm;
import io.cellmesh.worker.status.Looked;
import io.cellmesh.worker.status.Status;
import io.cellmesh.worker.status.StatusView;
import io.cellmesh.worker.status.StatusView.CellStand;
import io.cellmesh.worker.status.StatusView.PartView;
import io.cellmesh.worker.status.StatusView.PlaceFound;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A state in memory: a master that is away. */
final class FakeStatus implements Status {
  private static final Instant THEN = Instant.parse("2026-01-31T12:00:00Z");

  @Override
  public StatusView.Overview overview() {
    var master =
        new PartView("dc1", "c1 master", "a:1", false, "does not answer: gone", THEN, false);
    var alarm =
        new Alarm(
            Alarm.Level.DOWN,
            "dc1: master a:1 of c1 does not answer",
            Optional.of(THEN),
            false,
            "gone",
            List.of("cellmesh status"));
    return new StatusView.Overview(
        "trips",
        "dc1",
        List.of("dc1"),
        THEN,
        THEN,
        List.of(alarm),
        seen(List.of(master)),
        failed("Kafka does not answer"),
        seen(List.of()),
        seen(List.of()));
  }

  @Override
  public StatusView.Shards shards() {
    return new StatusView.Shards(Optional.empty(), seen(List.of()));
  }

  @Override
  public StatusView.Indexes indexes() {
    return new StatusView.Indexes(seen(List.of()), seen(List.of()));
  }

  @Override
  public StatusView.Refused refused() {
    return new StatusView.Refused(
        seen(List.of()), 0, seen(List.of()), seen(List.of()), seen(List.of()));
  }

  @Override
  public StatusView.Triggers triggers() {
    return new StatusView.Triggers(seen(List.of()));
  }

  @Override
  public StatusView.Buffers buffers() {
    return new StatusView.Buffers(failed("c1 does not answer"), seen(Map.of()));
  }

  @Override
  public CompletableFuture<StatusView.Row> row(
      UUID row, Optional<RecordPosition> position, Deadline deadline) {
    var entity = new PlaceFound("entity-a:1", "entity", "c1 master a:1", true, "");
    var cell =
        new CellStand(
            "BASE",
            Long.toString(Long.MAX_VALUE),
            true,
            Optional.of(7L),
            Optional.of(THEN),
            Optional.of("dc1"),
            "{\"big\":123456789012345678901234567890}",
            Map.of("entity-a:1", "yes"));
    return CompletableFuture.completedFuture(
        new StatusView.Row(
            row,
            1,
            1,
            "c1",
            position.map(RecordPosition::toString),
            1,
            List.of(entity),
            List.of(cell)));
  }

  private static <T> Looked<T> seen(T value) {
    return new Looked<>(
        Optional.of(THEN), Optional.of(value), Optional.empty(), Optional.empty(), 1);
  }

  private static <T> Looked<T> failed(String why) {
    return new Looked<>(Optional.empty(), Optional.empty(), Optional.of(why), Optional.of(THEN), 1);
  }
}
