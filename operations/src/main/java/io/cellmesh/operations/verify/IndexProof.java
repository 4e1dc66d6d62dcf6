package io.cellmesh.operations.verify;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexEntry;
import io.cellmesh.cell.index.IndexRow;
import io.cellmesh.cell.index.MisfitException;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexScan;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Compares an index with the cells while both change. What differs at the first look, such as
 * entries of cells that were on their way, is looked at again, entry by entry, until it agrees;
 * what still differs when nothing has come to agree for a while is wrong.
 */
public final class IndexProof {
  /** More than an entry is ever on its way while everything runs. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final int SHOWN = 5;

  private final DataCenter datacenter;
  private final Pools pools;
  private final IndexFile index;
  private final CellReader cells;

  /**
   * What was found.
   *
   * @param entries of the index
   * @param again how many differed at the first look
   * @param offences how many differ for good
   * @param first the first few of them, with their row
   */
  public record Result(String label, long entries, long again, long offences, List<String> first) {
    public boolean passed() {
      return offences == 0;
    }
  }

  private IndexProof(DataCenter datacenter, Pools pools, IndexFile index) {
    this.datacenter = datacenter;
    this.pools = pools;
    this.index = index;
    this.cells = new CellReader(datacenter.topology(), pools, false);
  }

  /**
   * Compares.
   *
   * @param progress called with the number of partitions done
   */
  public static Result run(
      DataCenter datacenter, Pools pools, IndexDefinition definition, LongConsumer progress)
      throws SQLException, InterruptedException {
    var index = new IndexFile(definition);
    return new IndexProof(datacenter, pools, index).run(progress);
  }

  private Result run(LongConsumer progress) throws SQLException, InterruptedException {
    var suspects = new HashMap<IndexIdentity, String>();
    var snapshot = new Snapshot(datacenter, pools);
    var check =
        PartitionPool.over(
            datacenter.topology().shards().partitions(),
            progress,
            numbers -> {
              var part = new IndexCheck(snapshot, index);
              numbers.each(partition -> part.expect(snapshot.entities(partition)));
              return part;
            },
            IndexCheck::add);
    long entries = check.compareAll(suspects::put);
    int again = suspects.size();
    settle(PATIENCE, PAUSE, () -> left(suspects));
    return new Result(
        index.label(),
        entries,
        again,
        suspects.size(),
        suspects.entrySet().stream()
            .limit(SHOWN)
            .map(e -> "row %s: %s".formatted(e.getKey().rowKey(), e.getValue()))
            .toList());
  }

  /**
   * Looks again until none is left, or none has cleared for a while. A look at very many takes
   * longer than that, and so the patience is with those that it leaves.
   *
   * @param left looks, and returns how many are left
   * @return how many are left in the end
   */
  static int settle(Duration patience, Duration pause, Waiting.Look<Integer, SQLException> left)
      throws SQLException, InterruptedException {
    return Waiting.whileItMoves(patience, pause, left, (now, moved) -> now == 0);
  }

  /** Lets go who stands as it must; returns how many are left. */
  private int left(Map<IndexIdentity, String> suspects) throws SQLException {
    for (var suspect : new ArrayList<>(suspects.keySet())) {
      if (expected(suspect).equals(found(suspect))) {
        suspects.remove(suspect);
      }
    }
    return suspects.size();
  }

  /** What must stand under the identity, by the row's cells. */
  private Optional<IndexEntry> expected(IndexIdentity identity) throws SQLException {
    var row = IndexRow.empty(index.definition(), identity.rowKey());
    for (var log : cells.row(identity.rowKey())) {
      var key = log.cell().key();
      try {
        row = row.apply(key.columnName(), key.refKey(), log.cell().body()).row();
      } catch (MisfitException | IllegalStateException e) {
        // A cell that does not fit, or whose body is damaged, does not count.
      }
    }
    return row.entry().filter(entry -> entry.shardValue().equals(identity.shardValue()));
  }

  private Optional<IndexEntry> found(IndexIdentity identity) throws SQLException {
    var topology = datacenter.topology();
    int shard = topology.shards().of(identity.shardValue());
    try (var connection = pools.open(topology.clusterOf(shard).master())) {
      return new IndexScan(topology.instance(), index.definition())
          .find(connection, shard, identity.shardValue(), identity.rowKey())
          .filter(entry -> !entry.removed());
    }
  }
}
