package io.cellmesh.operations.mesh;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import io.cellmesh.cell.LinkHold.Kind;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.storage.Pools;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
  public List<String> findings() throws Exception {
    var setback = setback();
    if (setback.isNone()) {
      return List.of();
    }
    return new HomeComing(loss, back, setback).findings();
  }

  /**
   * Brings back what it lacks, and lets the links to it go on at their places. After an
   * interruption the same again goes on.
   *
   * @param rate cells a second that are read from entity tables, at most; 0 for as fast as possible
   * @return what a person should know or has to do, in sentences
   * @throws OperationException as {@link #findings}
   */
  public List<String> run(double rate, OperationListener steps) throws Exception {
    var setback = setback();
    var home = new HomeComing(loss, back, setback);
    var told = new ArrayList<>(setback.isNone() ? home.end(steps) : home.run(rate, steps));
    for (var dc : loss.survivors()) {
      AtDataCenter.run(dc, () -> new LinkHolds(dc).lift(back.name()));
      var place = LinkPlace.of(dc, back);
      place.findings().stream()
          .map(finding -> "%s: %s; `%s`".formatted(place.name(), finding, place.acceptance()))
          .forEach(told::add);
    }
    var held = AtDataCenter.ask(back, () -> new LinkHolds(back).all());
    held.values().removeIf(hold -> hold.kind() != Kind.LOST);
    told.addAll(missed(held.keySet()));
    return told;
  }

  /**
   * Says what it has not heard while it was away.
   *
   * @param givenUp whom it has as given up
   */
  List<String> missed(Set<String> givenUp) {
    var missed = new ArrayList<String>();
    for (var name : loss.away()) {
      if (!givenUp.contains(name)) {
        missed.add(
            "%s is given up and was not asked: `cellmesh dc lost %s --yes` again brings %s what the others have of it"
                .formatted(name, name, back.name()));
      }
    }
    for (var dc : loss.survivors()) {
      if (givenUp.contains(dc.name())) {
        missed.add(
            "%s still has %s as given up: `cellmesh dc back %s` again"
                .formatted(back.name(), dc.name(), dc.name()));
      }
    }
    return missed;
  }

  private Setback setback() throws Exception {
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
  private List<String> reissued(Setback setback) throws Exception {
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
        var cells = known(holder.getKey(), ids);
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

  /** Cells of its own as another data centre has them: in its topics, or else in its tables. */
  private Map<Integer, RangeCells.Found> known(DataCenter holder, Map<Integer, Long> ids)
      throws Exception {
    var cells = new HashMap<>(new KnownCells(back.name(), holder).find(ids));
    if (cells.size() < ids.size() && !holder.name().equals(back.name())) {
      AtDataCenter.run(
          holder,
          () -> {
            try (var pools = new Pools(holder.reader())) {
              var tables = TableSource.open(holder.topology(), pools);
              for (int shard : ids.keySet()) {
                if (!cells.containsKey(shard)) {
                  tables
                      .last(back.name(), shard, ids.get(shard))
                      .map(LogRecord::cell)
                      .filter(cell -> cell.origin().orElseThrow().id() == ids.get(shard))
                      .ifPresent(cell -> cells.put(shard, RangeCells.Found.of(cell)));
                }
              }
            }
          });
    }
    return cells;
  }

  /**
   * Says what is wrong with the last cell of a shard in its tables.
   *
   * @param whole whether nobody has a later one
   * @param cell as the other one has it; empty if neither its topics nor its tables do
   * @param own what its tables have there
   */
  Optional<String> fault(Last last, boolean whole, Optional<RangeCells.Found> cell, LogRecord own) {
    var what = "shard %d, origin_id %d".formatted(last.shard(), last.id());
    if (cell.isEmpty()) {
      return whole
          ? Optional.of(
              "it can't be told whether %s has all its cells: neither topics nor tables of %s have the last one any more, %s"
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
