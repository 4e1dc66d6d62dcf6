package io.cellmesh.storage;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferTable.CopyHeader;
import io.cellmesh.storage.BufferTable.Ends;
import io.cellmesh.storage.BufferTable.Reapable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Copies on MySQL servers, whose connections allow multi-statements. Thread-safe. */
public final class SqlBufferStore implements BufferStore {
  private final Nodes nodes;
  private final BufferTable buffer;
  private final EpochTable epochs;

  public SqlBufferStore(Topology topology, Nodes nodes) {
    this.nodes = nodes;
    this.buffer = new BufferTable(topology);
    this.epochs = new EpochTable(topology);
  }

  @Override
  public void insert(
      StorageCluster secondary, Map<StorageCluster, List<Copy>> copies, Duration answer)
      throws SQLException, NodeUnavailableException {
    nodes
        .of(secondary.master())
        .write(answer, ConnectionCallback.of(c -> buffer.insert(c, copies)));
  }

  @Override
  public boolean raiseEpoch(StorageCluster secondary, StorageCluster primary, Duration answer)
      throws SQLException, NodeUnavailableException {
    return nodes
        .of(secondary.master())
        .write(answer, c -> epochs.raise(c, primary.name(), primary.epoch()));
  }

  @Override
  public List<CopyHeader> held(
      StorageCluster secondary,
      StorageCluster primary,
      IngestTopic topic,
      int partition,
      long after,
      int limit)
      throws SQLException, NodeUnavailableException {
    return nodes
        .of(secondary.master())
        .read(c -> buffer.held(c, primary.name(), topic, partition, after, limit));
  }

  @Override
  public Map<Long, List<OffsetCell>> cells(StorageCluster secondary, Collection<Long> ids)
      throws SQLException, NodeUnavailableException {
    return nodes.of(secondary.master()).read(c -> buffer.cells(c, ids));
  }

  @Override
  public List<Ends> ends(StorageCluster secondary) throws SQLException, NodeUnavailableException {
    return nodes.of(secondary.master()).read(buffer::ends);
  }

  @Override
  public Map<String, Integer> reap(StorageCluster secondary, List<Reapable> reapable, int limit)
      throws SQLException, NodeUnavailableException {
    return nodes.of(secondary.master()).write(c -> buffer.reap(c, reapable, limit));
  }
}
