package io.cellmesh.operations.mesh.scrub;

import io.cellmesh.cell.CellDigest;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.proof.Bucket;
import io.cellmesh.cell.proof.BucketKey;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.PartitionFold;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.util.Map;

/**
 * Folds entity tables of a server as herb-replicator folds the log, page by page, with a rest after
 * each. For one thread.
 *
 * @param pace what is done after each page
 */
record ServerScrub(Topology topology, Pools pools, int page, CellDigest digests, Rest pace) {

  /** What comes between two pages. */
  interface Rest {
    /**
     * Rests.
     *
     * @param rows that were read
     */
    void after(int rows) throws InterruptedException;
  }

  /** What was read of some shards. */
  record Read(long rows, Map<BucketKey, Bucket> buckets) {}

  /** Reads whole shards. */
  Read read(Server server, Iterable<Integer> shards) throws SQLException, InterruptedException {
    var fold = new PartitionFold(FoldSource.TABLE, true);
    long rows = 0;
    for (int shard : shards) {
      rows += read(server, shard, fold);
    }
    return new Read(rows, fold.takeChanged());
  }

  private long read(Server server, int shard, PartitionFold fold)
      throws SQLException, InterruptedException {
    var last = new long[1];
    long rows = 0;
    int more = page;
    while (more == page) {
      more =
          pools.ask(
              server,
              connection ->
                  EntityScan.page(
                      connection,
                      topology,
                      shard,
                      last[0],
                      page,
                      row -> {
                        fold(fold, row);
                        last[0] = row.addedId();
                      }));
      rows += more;
      pace.after(more);
    }
    return rows;
  }

  private void fold(PartitionFold fold, LogRecord row) {
    fold.fold(
        row.cell().origin().orElseThrow(),
        row.shard(),
        digest(row),
        row.addedId(),
        row.createdAt().toEpochMilli());
  }

  /** A body that is none has no digest that any cell's has, but by chance. */
  private long digest(LogRecord row) {
    try {
      return digests.of(row.cell());
    } catch (IllegalStateException e) {
      return 0;
    }
  }
}
