package io.cellmesh.operations.mesh;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.mesh.CellDifference.Kind;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Names the cells that a data centre has otherwise than their origin: reads both topics, and asks
 * the master here for what its log has not. What has not come yet is no difference; in a table it
 * is told that it is on its way, until the server's position has passed it ({@link Passage}).
 *
 * @param in what here is held against the origin's log: a topic, or the entity tables
 * @param server whose tables are read; empty for the master's
 */
public record CellComparison(
    DataCenter origin, DataCenter here, FoldSource in, Optional<String> server) {
  /** One that reads topics, or the masters' tables. */
  public CellComparison(DataCenter origin, DataCenter here, FoldSource in) {
    this(origin, here, in, Optional.empty());
  }

  /** What is done with the ranges of a partition, each shard's apart. */
  private interface Work {
    void of(int partition, Map<Integer, List<IdRange>> ranges, Reading reading)
        throws SQLException, InterruptedException;
  }

  /**
   * What is read with.
   *
   * @param stretches of each partition what is read; all where none is said
   * @param found added to
   */
  private record Reading(
      CellReader tables,
      TopicClients topics,
      Map<Integer, LogStretches> stretches,
      List<CellDifference> found) {
    LogStretches of(int partition) {
      return stretches.getOrDefault(partition, LogStretches.WHOLE);
    }
  }

  /**
   * Compares some ranges of ids, a partition after the other.
   *
   * @throws io.cellmesh.operations.OperationException if there are more cells in them than can be
   *     held
   */
  public List<CellDifference> of(List<IdRange> ranges) throws SQLException, InterruptedException {
    return of(ranges, Map.of());
  }

  /**
   * The same, reading no more of logs than is known to have them.
   *
   * @param stretches of partitions; all is read of one that it lacks
   */
  List<CellDifference> of(List<IdRange> ranges, Map<Integer, LogStretches> stretches)
      throws SQLException, InterruptedException {
    return each(ranges, stretches, this::compare);
  }

  /**
   * Compares with the entity tables of the masters here, by the keys of the origin's cells: what is
   * there and is no cell of the origin's log is not found.
   *
   * @throws io.cellmesh.operations.OperationException as {@link #of}
   */
  public List<CellDifference> withTables(List<IdRange> ranges)
      throws SQLException, InterruptedException {
    return each(ranges, Map.of(), this::compareTables);
  }

  private List<CellDifference> each(
      List<IdRange> ranges, Map<Integer, LogStretches> stretches, Work work)
      throws SQLException, InterruptedException {
    var shards = origin.topology().shards();
    var byPartition =
        ranges.stream().collect(groupingBy(range -> shards.partitionOf(range.shard())));
    var found = new ArrayList<CellDifference>();
    try (var pools = new Pools(server -> here.reader());
        var topics = new TopicClients()) {
      var tables = new CellReader(here.topology(), pools, false);
      var reading = new Reading(tables, topics, stretches, found);
      for (var partition : byPartition.entrySet()) {
        var byShard = partition.getValue().stream().collect(groupingBy(IdRange::shard));
        work.of(partition.getKey(), byShard, reading);
      }
    }
    return found;
  }

  private void compareTables(int partition, Map<Integer, List<IdRange>> ranges, Reading reading)
      throws SQLException, InterruptedException {
    var log = new OriginLog(origin, here);
    var there = log.read(reading.topics(), partition, ranges, reading.of(partition).there());
    var passage = Passage.of(reading.topics(), log, this::serverOf, partition, ranges);
    for (int shard : ranges.keySet()) {
      for (var cell : there.of(shard).entrySet()) {
        long id = cell.getKey();
        boolean due = passage.isOver(shard, id, there.offset(shard, id).orElseThrow());
        var row = absent(shard, id, cell.getValue(), reading.tables());
        if (row.kind() != Kind.UNLOGGED && (due || row.kind() != Kind.MISSING)) {
          reading.found().add(row);
        }
      }
    }
  }

  private void compare(int partition, Map<Integer, List<IdRange>> ranges, Reading reading)
      throws SQLException, InterruptedException {
    var log = new OriginLog(origin, here);
    var there = log.read(reading.topics(), partition, ranges, reading.of(partition).there());
    var copies = new RangeCells(origin.name(), ranges);
    Optional<Passage> passage = Optional.empty();
    if (in == FoldSource.TABLE) {
      passage = Optional.of(Passage.of(reading.topics(), log, this::serverOf, partition, ranges));
      readTables(ranges.keySet(), copies);
    } else {
      var topic = Holdings.topic(here.topology().topics(), in);
      copies.read(reading.topics(), here, topic, in, partition, reading.of(partition).here());
    }
    for (int shard : ranges.keySet()) {
      compare(shard, there, copies, passage, reading);
    }
  }

  private void readTables(Set<Integer> shards, RangeCells copies) throws SQLException {
    try (var pools = new Pools(any -> here.reader())) {
      for (int shard : shards) {
        try (var connection = pools.open(serverOf(shard))) {
          EntityScan.scan(
              connection, here.topology(), shard, 0, row -> copies.add(shard, row.cell()));
        }
      }
    }
  }

  private Server serverOf(int shard) {
    var cluster = here.topology().clusterOf(shard);
    return server.isEmpty()
        ? cluster.master()
        : cluster.servers().stream()
            .filter(one -> one.address().equals(server.get()))
            .findFirst()
            .orElseThrow(
                () ->
                    OperationException.invalid(
                        "%s is no server of %s, which has shard %d; these are: %s"
                            .formatted(
                                server.get(),
                                cluster.name(),
                                shard,
                                cluster.servers().stream()
                                    .map(Server::address)
                                    .collect(joining(", ")))));
  }

  private void compare(
      int shard, RangeCells there, RangeCells copies, Optional<Passage> passage, Reading reading)
      throws SQLException {
    // A table's last row may be the one that is gone.
    long reached =
        in == FoldSource.TABLE
            ? there.highest(shard)
            : Math.min(there.highest(shard), copies.highest(shard));
    for (var cell : there.of(shard).headMap(reached, true).entrySet()) {
      var copy = copies.of(shard).get(cell.getKey());
      if (copy == null) {
        long id = cell.getKey();
        long at = there.offset(shard, id).orElseThrow();
        // Rows are in the origin's order, so nothing comes in front of one that is there.
        boolean early =
            id > copies.highest(shard)
                && passage.filter(way -> !way.isOver(shard, id, at)).isPresent();
        var absent = absent(shard, id, cell.getValue(), reading.tables());
        reading.found().add(early ? absent.notYet() : absent);
      } else if (!copy.equals(cell.getValue())) {
        reading
            .found()
            .add(
                difference(Kind.CHANGED, shard, cell.getKey(), cell.getValue(), Optional.of(copy)));
      }
    }
    for (var copy : copies.of(shard).headMap(reached, true).entrySet()) {
      if (!there.of(shard).containsKey(copy.getKey())) {
        reading
            .found()
            .add(
                new CellDifference(
                    Kind.EXTRA,
                    shard,
                    copy.getKey(),
                    copy.getValue().key(),
                    Optional.empty(),
                    Optional.of(copy.getValue().digest())));
      } else if (copies.inverted(shard).contains(copy.getKey())) {
        var cell = there.of(shard).get(copy.getKey());
        reading
            .found()
            .add(
                difference(
                    Kind.INVERTED, shard, copy.getKey(), cell, Optional.of(copy.getValue())));
      }
    }
  }

  /**
   * What the log or a table here has not may be right, as the master's row of its key says; what
   * the mesh topic has not is missing.
   */
  private CellDifference absent(int shard, long id, RangeCells.Found cell, CellReader tables)
      throws SQLException {
    if (in == FoldSource.MESH) {
      return difference(Kind.MISSING, shard, id, cell, Optional.empty());
    }
    var row = tables.get(cell.key());
    var kind = row.isEmpty() ? Kind.MISSING : kind(cell, row.get().cell());
    return difference(kind, shard, id, cell, row.map(found -> RangeCells.Found.of(found.cell())));
  }

  /**
   * Says why a cell of the origin is absent.
   *
   * @param row what the master here has under its key
   */
  Kind kind(RangeCells.Found cell, Cell row) {
    boolean copy = row.origin().orElseThrow().datacenter().equals(origin.name());
    if (copy && in == FoldSource.TABLE) {
      return Kind.MISSING;
    }
    if (RangeCells.Found.of(row).equals(cell)) {
      return copy ? Kind.UNLOGGED : Kind.ACCEPTED_HERE;
    }
    return copy ? Kind.CHANGED : Kind.REFUSED;
  }

  private static CellDifference difference(
      Kind kind, int shard, long id, RangeCells.Found there, Optional<RangeCells.Found> copy) {
    CellKey key = there.key();
    return new CellDifference(
        kind, shard, id, key, Optional.of(there.digest()), copy.map(RangeCells.Found::digest));
  }
}
