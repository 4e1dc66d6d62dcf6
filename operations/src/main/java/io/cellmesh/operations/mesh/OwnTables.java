package io.cellmesh.operations.mesh;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.PositionTable;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What the masters of a data centre have of the cells that it wrote first. */
final class OwnTables implements AutoCloseable {
  private final Topology topology;
  private final Pools pools;
  private final CellReader cells;

  OwnTables(DataCenter dc) {
    this.topology = dc.topology();
    this.pools = new Pools(server -> dc.reader());
    this.cells = new CellReader(topology, pools, false);
  }

  /**
   * The last one of a shard.
   *
   * @param atMost the greatest origin_id that is looked for
   */
  Optional<LogRecord> last(int shard, long atMost) throws SQLException {
    return pools.ask(
        topology.clusterOf(shard).master(),
        connection -> EntityScan.lastOwn(connection, topology, shard, atMost));
  }

  /** Its origin_id; {@link Holdings#NONE} if there is none. */
  long lastId(int shard, long atMost) throws SQLException {
    return last(shard, atMost)
        .map(cell -> cell.cell().origin().orElseThrow().id())
        .orElse(Holdings.NONE);
  }

  /** Whether there is a cell of a key, under whatever id. */
  boolean has(CellKey key) throws SQLException {
    return cells.get(key).isPresent();
  }

  /** The offset up to which the shard's cluster has taken its partition of the mesh topic. */
  long taken(int shard) throws SQLException {
    int partition = topology.shards().partitionOf(shard);
    return pools.ask(
        topology.clusterOf(shard).master(),
        connection ->
            new PositionTable(topology)
                .read(connection, List.of(partition))
                .get(partition)
                .of(IngestTopic.MESH));
  }

  @Override
  public void close() {
    pools.close();
  }
}
