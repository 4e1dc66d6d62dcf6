package io.cellmesh.operations.mesh;

import static java.util.stream.Collectors.groupingBy;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.mesh.CellDifference.Kind;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Names the cells that a data centre has otherwise than their origin: reads both topics, and asks
 * the master here for what its log has not. What has not come yet is no difference.
 *
 * @param in the topic here that is held against the origin's log
 */
public record CellComparison(DataCenter origin, DataCenter here, FoldSource in) {

  /**
   * Compares some ranges of ids, a partition after the other.
   *
   * @throws io.cellmesh.operations.OperationException if there are more cells in them than can be
   *     held
   */
  public List<CellDifference> of(List<IdRange> ranges) throws SQLException {
    var shards = origin.topology().shards();
    var byPartition =
        ranges.stream().collect(groupingBy(range -> shards.partitionOf(range.shard())));
    var found = new ArrayList<CellDifference>();
    try (var pools = new Pools(server -> here.reader())) {
      var tables = new CellReader(here.topology(), pools, false);
      for (var partition : byPartition.entrySet()) {
        var byShard = partition.getValue().stream().collect(groupingBy(IdRange::shard));
        compare(partition.getKey(), byShard, tables, found);
      }
    }
    return found;
  }

  private void compare(
      int partition,
      Map<Integer, List<IdRange>> ranges,
      CellReader tables,
      List<CellDifference> found)
      throws SQLException {
    var there = new RangeCells(origin.name(), ranges);
    there.read(origin, topic(FoldSource.LOG), FoldSource.LOG, partition);
    var copies = new RangeCells(origin.name(), ranges);
    copies.read(here, topic(in), in, partition);
    for (int shard : ranges.keySet()) {
      compare(shard, there, copies, tables, found);
    }
  }

  private String topic(FoldSource source) {
    Topics topics = origin.topology().topics();
    return source == FoldSource.LOG ? topics.log() : topics.mesh();
  }

  private void compare(
      int shard, RangeCells there, RangeCells copies, CellReader tables, List<CellDifference> found)
      throws SQLException {
    long reached = Math.min(there.highest(shard), copies.highest(shard));
    for (var cell : there.of(shard).headMap(reached, true).entrySet()) {
      var copy = copies.of(shard).get(cell.getKey());
      if (copy == null) {
        found.add(absent(shard, cell.getKey(), cell.getValue(), tables));
      } else if (!copy.equals(cell.getValue())) {
        found.add(
            difference(Kind.CHANGED, shard, cell.getKey(), cell.getValue(), Optional.of(copy)));
      }
    }
    for (var copy : copies.of(shard).headMap(reached, true).entrySet()) {
      if (!there.of(shard).containsKey(copy.getKey())) {
        found.add(
            new CellDifference(
                Kind.EXTRA,
                shard,
                copy.getKey(),
                copy.getValue().key(),
                Optional.empty(),
                Optional.of(copy.getValue().digest())));
      } else if (copies.inverted(shard).contains(copy.getKey())) {
        var cell = there.of(shard).get(copy.getKey());
        found.add(
            difference(Kind.INVERTED, shard, copy.getKey(), cell, Optional.of(copy.getValue())));
      }
    }
  }

  /** What the log here has not may be right; what the mesh topic has not is missing. */
  private CellDifference absent(int shard, long id, RangeCells.Found cell, CellReader tables)
      throws SQLException {
    if (in == FoldSource.MESH) {
      return difference(Kind.MISSING, shard, id, cell, Optional.empty());
    }
    var row = tables.get(cell.key());
    var kind = row.isEmpty() ? Kind.MISSING : kind(cell, row.get().cell());
    return difference(kind, shard, id, cell, row.map(found -> RangeCells.Found.of(found.cell())));
  }

  private Kind kind(RangeCells.Found cell, Cell row) {
    if (!RangeCells.Found.of(row).equals(cell)) {
      return Kind.REFUSED;
    }
    boolean copy = row.origin().orElseThrow().datacenter().equals(origin.name());
    return copy ? Kind.UNLOGGED : Kind.ACCEPTED_HERE;
  }

  private static CellDifference difference(
      Kind kind, int shard, long id, RangeCells.Found there, Optional<RangeCells.Found> copy) {
    CellKey key = there.key();
    return new CellDifference(
        kind, shard, id, key, Optional.of(there.digest()), copy.map(RangeCells.Found::digest));
  }
}
