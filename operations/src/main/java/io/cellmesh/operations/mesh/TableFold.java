package io.cellmesh.operations.mesh;

import io.cellmesh.cell.CellDigest;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.proof.BucketCodec;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.PartitionFold;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.Pools;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BiConsumer;

/**
 * Folds the entity tables of a data centre as herb-replicator folds its log, so that they can be
 * held against what their origins have told. It reads each shard from its cluster's first minion,
 * or its master where there is none, and after each rests as long as that took.
 */
final class TableFold implements AutoCloseable {
  private static final Duration LONGEST_REST = Duration.ofSeconds(10);

  private final Topology topology;
  private final Pools pools;
  private final CellDigest digests = new CellDigest();

  TableFold(DataCenter dc) {
    this.topology = dc.topology();
    this.pools = new Pools(server -> dc.reader());
  }

  /** Hands over the buckets of all shards, key and value as a log's stand in the topic. */
  void read(BiConsumer<byte[], byte[]> reader) throws SQLException, InterruptedException {
    for (int shard = 0; shard < topology.shards().count(); shard++) {
      long begin = System.nanoTime();
      read(shard, reader);
      var took = Duration.ofNanos(System.nanoTime() - begin);
      Thread.sleep(Math.min(took.toMillis(), LONGEST_REST.toMillis()));
    }
  }

  @Override
  public void close() {
    digests.close();
    pools.close();
  }

  private void read(int shard, BiConsumer<byte[], byte[]> reader) throws SQLException {
    var fold = new PartitionFold(FoldSource.LOG, true);
    try (var connection = pools.open(topology.clusterOf(shard).reader(true))) {
      EntityScan.scan(connection, topology, shard, 0, row -> fold(fold, row));
    }
    fold.takeChanged()
        .forEach(
            (key, bucket) ->
                reader.accept(
                    key.text().getBytes(StandardCharsets.UTF_8), BucketCodec.write(bucket)));
  }

  private void fold(PartitionFold fold, LogRecord row) {
    var cell = row.cell();
    fold.fold(
        cell.origin().orElseThrow(),
        row.shard(),
        digests.of(cell),
        row.addedId(),
        row.createdAt().toEpochMilli());
  }
}
