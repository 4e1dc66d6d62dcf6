package io.cellmesh.operations.mesh;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import io.cellmesh.cell.LogRecord;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes back a data centre that was given up, or whose servers come from a backup. What its tables
 * have lost of its own cells it gets back under the ids that others know, before it gives out new
 * ones: {@link HomeComing}.
 *
 * @param loss of it
 * @param back the data centre
 */
public record DataCenterReturn(DataCenterLoss loss, DataCenter back) {

  /** A cell that somebody else has of a shard, and that it should have under the same id. */
  record Last(int shard, DataCenter dc, long id) {}

  /**
   * Finds the data centre and the others.
   *
   * @throws OperationException as {@link DataCenterLoss#of}
   */
  public static DataCenterReturn of(Deployment deployment, String name) {
    return new DataCenterReturn(
        DataCenterLoss.of(deployment, name), deployment.datacenter(Optional.of(name)));
  }

  /**
   * Says what it lacks of its own cells, and what has to be done for that, in sentences; empty if
   * it lacks nothing. Changes nothing.
   *
   * @throws OperationException if it can't be taken back as it is; the message says what to do
   */
  public List<String> findings() throws IOException, SQLException, InterruptedException {
    var setback = setback();
    if (setback.isNone()) {
      return List.of();
    }
    try (var home = new HomeComing(loss, back, setback)) {
      return home.findings();
    }
  }

  /**
   * Brings back what it lacks, and lets the links to it go on at their places. After an
   * interruption the same again goes on.
   *
   * @return what a person should know or has to do, in sentences
   * @throws OperationException as {@link #findings}
   */
  public List<String> run(OperationListener steps) throws Exception {
    var told = new ArrayList<String>();
    var setback = setback();
    try (var home = new HomeComing(loss, back, setback)) {
      told.addAll(setback.isNone() ? home.end(steps) : home.run(steps));
    }
    for (var dc : loss.survivors()) {
      new LinkHolds(dc).lift(back.name());
      var place = LinkPlace.of(dc, back);
      place.findings().stream()
          .map(finding -> "%s: %s; `%s`".formatted(place.name(), finding, place.acceptance()))
          .forEach(told::add);
    }
    return told;
  }

  private Setback setback() throws SQLException, InterruptedException {
    var setback = Setback.of(back, loss.survivors());
    var wrong = reissued(setback);
    if (!wrong.isEmpty()) {
      throw OperationException.refused(String.join("; ", wrong));
    }
    return setback;
  }

  /**
   * Says where its tables have another cell under an id than somebody who knows that id, or where
   * that can't be told. By invariant 9 whoever has the same cell under an id has all before it.
   */
  private List<String> reissued(Setback setback) throws SQLException, InterruptedException {
    var lasts = new ArrayList<Last>();
    for (int shard = 0; shard < back.topology().shards().count(); shard++) {
      var holder = setback.holder(shard);
      if (holder.isPresent() && setback.has(shard) > Holdings.NONE) {
        lasts.add(new Last(shard, holder.get(), setback.has(shard)));
      }
    }
    var wrong = new ArrayList<String>();
    try (var tables = new OwnTables(back)) {
      for (var holder : lasts.stream().collect(groupingBy(Last::dc)).entrySet()) {
        var ids = holder.getValue().stream().collect(toMap(Last::shard, Last::id));
        var cells = new KnownCells(back.name(), holder.getKey()).find(ids);
        for (var last : holder.getValue()) {
          boolean whole = last.id() == setback.known(last.shard());
          var cell = Optional.ofNullable(cells.get(last.shard()));
          var own = tables.last(last.shard(), last.id());
          if (own.filter(row -> row.cell().origin().orElseThrow().id() == last.id()).isPresent()) {
            fault(last, whole, cell, own.get()).ifPresent(wrong::add);
          }
        }
      }
    }
    return wrong;
  }

  /**
   * Says what is wrong with the last cell of a shard in its tables.
   *
   * @param whole whether nobody has a later one
   * @param cell as the other one has it; empty if its topics have it no more
   * @param own what its tables have there
   */
  Optional<String> fault(Last last, boolean whole, Optional<RangeCells.Found> cell, LogRecord own) {
    var what = "shard %d, origin_id %d".formatted(last.shard(), last.id());
    if (cell.isEmpty()) {
      return whole
          ? Optional.of(
              "it can't be told whether %s has all its cells: the topics of %s no longer have the last one, %s"
                  .formatted(back.name(), last.dc().name(), what))
          // Its beginning is told by those that come next, which are there.
          : Optional.empty();
    }
    return RangeCells.Found.of(own.cell()).equals(cell.get())
        ? Optional.empty()
        : Optional.of(
            "%s has given out ids again: %s is %s in its tables, and %s in %s. Restore the backup once more and leave its masters closed; what was written since comes again from its own topic"
                .formatted(
                    back.name(), what, own.cell().key(), cell.get().key(), last.dc().name()));
  }
}
