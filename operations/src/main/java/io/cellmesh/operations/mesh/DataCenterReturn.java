package io.cellmesh.operations.mesh;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Takes back a data centre that was given up, if it has every cell of its own that another one has
 * of it. Else it comes from a backup, or a promotion lost some, and would give out ids a second
 * time under which the others have other cells.
 *
 * @param loss of it
 * @param back the data centre
 */
public record DataCenterReturn(DataCenterLoss loss, DataCenter back) {

  /** The last cell of a shard that somebody has. */
  record Last(int shard, DataCenter dc, long id) {}

  /** What is read at one go. */
  private record Reading(DataCenter dc, int partition) {}

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
   * Says what it lacks of its own cells, in sentences; empty if nothing. By invariant 9 whoever has
   * the last one of a shard, under its id, has all before it.
   */
  public List<String> findings() throws SQLException, InterruptedException {
    try (var pools = new Pools(server -> back.reader())) {
      var reader = new CellReader(back.topology(), pools, false);
      var findings = new ArrayList<String>();
      var readings =
          lasts().stream()
              .collect(groupingBy(last -> new Reading(last.dc(), partitionOf(last.shard()))));
      for (var reading : readings.entrySet()) {
        var cells = cells(reading.getKey(), reading.getValue());
        for (var last : reading.getValue()) {
          var cell = Optional.ofNullable(cells.get(last.shard()));
          var own = cell.isEmpty() ? Optional.<LogRecord>empty() : reader.get(cell.get().key());
          lack(last, cell, own).ifPresent(findings::add);
        }
      }
      return findings;
    }
  }

  /**
   * Lets the links to it go on at their places.
   *
   * @return what keeps one of them from that, in sentences
   * @throws OperationException if it lacks cells of its own
   */
  public List<String> run() throws SQLException, InterruptedException {
    var lacks = findings();
    if (!lacks.isEmpty()) {
      throw OperationException.refused(String.join("; ", lacks));
    }
    var halted = new ArrayList<String>();
    for (var dc : loss.survivors()) {
      new LinkHolds(dc).lift(back.name());
      var place = LinkPlace.of(dc, back);
      place.findings().stream()
          .map(finding -> "%s: %s; `%s`".formatted(place.name(), finding, place.acceptance()))
          .forEach(halted::add);
    }
    return halted;
  }

  /**
   * Says what is wrong with the last cell of a shard.
   *
   * @param cell as the other one has it; empty if its topics have it no more
   * @param own what stands under its key in the one that is back
   */
  Optional<String> lack(Last last, Optional<RangeCells.Found> cell, Optional<LogRecord> own) {
    var what = "shard %d, origin_id %d".formatted(last.shard(), last.id());
    if (cell.isEmpty()) {
      return Optional.of(
          "it can't be told whether %s has all its cells: the topics of %s no longer have the last one, %s"
              .formatted(back.name(), last.dc().name(), what));
    }
    boolean has =
        own.filter(row -> row.addedId() == last.id())
            .filter(row -> row.cell().origin().orElseThrow().datacenter().equals(back.name()))
            .filter(row -> RangeCells.Found.of(row.cell()).equals(cell.get()))
            .isPresent();
    return has
        ? Optional.empty()
        : Optional.of(
            "%s lacks cells of its own that %s has, such as %s: %s; don't open its masters, or their ids are given out again"
                .formatted(back.name(), last.dc().name(), what, cell.get().key()));
  }

  private List<Last> lasts() throws InterruptedException {
    var lasts = new Last[back.topology().shards().count()];
    for (var dc : loss.survivors()) {
      var holdings = Holdings.read(dc, back.name());
      for (int shard = 0; shard < lasts.length; shard++) {
        long id = holdings.last(shard);
        if (id > (lasts[shard] == null ? Holdings.NONE : lasts[shard].id())) {
          lasts[shard] = new Last(shard, dc, id);
        }
      }
    }
    return Arrays.stream(lasts).filter(Objects::nonNull).toList();
  }

  /** The cells by their shards, in the mesh topic or else in the log. */
  private Map<Integer, RangeCells.Found> cells(Reading reading, List<Last> lasts) {
    var cells = new HashMap<Integer, RangeCells.Found>();
    for (var source : List.of(FoldSource.MESH, FoldSource.LOG)) {
      var wanted =
          lasts.stream()
              .filter(last -> !cells.containsKey(last.shard()))
              .collect(
                  toMap(
                      Last::shard,
                      last -> List.of(new IdRange(last.shard(), last.id(), last.id()))));
      if (!wanted.isEmpty()) {
        var found = new RangeCells(back.name(), wanted);
        var topic = Holdings.topic(reading.dc().topology().topics(), source);
        found.read(reading.dc(), topic, source, reading.partition());
        wanted
            .keySet()
            .forEach(shard -> found.of(shard).values().forEach(cell -> cells.put(shard, cell)));
      }
    }
    return cells;
  }

  private int partitionOf(int shard) {
    return back.topology().shards().partitionOf(shard);
  }
}
