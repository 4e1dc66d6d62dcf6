package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.InstanceTable;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexSchema;
import io.cellmesh.storage.index.IndexTable;
import io.cellmesh.storage.index.IndexTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The tables of all indexes. Thread-safe. */
final class Tables {
  private final Topology topology;
  private final List<OfIndex> indexes;

  Tables(Topology topology, List<IndexDefinition> definitions, Pools pools) {
    this.topology = topology;
    this.indexes =
        definitions.stream()
            .map(
                definition ->
                    new OfIndex(
                        definition.label(),
                        new IndexSchema(topology, definition, pools),
                        new IndexTable(topology.instance(), definition)))
            .toList();
  }

  private record OfIndex(String label, IndexSchema schema, IndexTable table) {}

  /**
   * The indexes whose tables do not stand on all shards of a cluster.
   *
   * @param connection to the cluster's master
   * @throws io.cellmesh.storage.SchemaVersionException if the instance's tables are not of the
   *     version that this program knows
   */
  List<String> missing(Connection connection, StorageCluster cluster) throws SQLException {
    InstanceTable.requireVersion(connection, topology, cluster);
    var missing = new ArrayList<String>();
    for (var index : indexes) {
      if (!index.schema.exists(cluster)) {
        missing.add(index.label);
      }
    }
    return missing;
  }

  /**
   * Writes a batch in one transaction.
   *
   * @param novelty of the batches that its caller writes
   */
  Void write(Connection connection, EntryBatch batch, Novelty novelty) throws SQLException {
    var transaction = new IndexTransaction();
    batch
        .indexes()
        .forEach(
            (index, shards) ->
                shards.forEach(
                    (shard, rows) -> transaction.add(indexes.get(index).table, shard, rows)));
    if (novelty.expected()) {
      if (transaction.insert(connection)) {
        return null;
      }
      novelty.refuted();
    }
    transaction.execute(connection);
    return null;
  }
}
