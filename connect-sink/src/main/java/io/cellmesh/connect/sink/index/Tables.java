package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexSchema;
import io.cellmesh.storage.index.IndexTable;
import java.sql.Connection;
import java.sql.SQLException;

/** The tables of one index. Thread-safe. */
final class Tables {
  private final String index;
  private final IndexSchema schema;
  private final IndexTable table;

  Tables(Topology topology, IndexDefinition definition, Pools pools) {
    this.index = definition.label();
    this.schema = new IndexSchema(topology, definition, pools);
    this.table = new IndexTable(topology.instance(), definition);
  }

  String index() {
    return index;
  }

  /** Whether they stand on all shards of a cluster. */
  boolean exist(StorageCluster cluster) throws SQLException {
    return schema.exists(cluster);
  }

  Void write(Connection connection, Batch batch) throws SQLException {
    table.upsert(connection, batch.shards());
    return null;
  }
}
