package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferStore;
import io.cellmesh.storage.BufferTable.CopyHeader;
import io.cellmesh.storage.BufferTable.Ends;
import io.cellmesh.storage.BufferTable.Reapable;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.OffsetCell;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Buffers of which a test uses only what it overrides. */
abstract class UnusedBuffers implements BufferStore {
  @Override
  public void insert(
      StorageCluster secondary, Map<StorageCluster, List<Copy>> copies, Duration answer)
      throws SQLException {
    throw new AssertionError("nobody copies");
  }

  @Override
  public boolean raiseEpoch(StorageCluster secondary, StorageCluster primary, Duration answer) {
    throw new AssertionError("nobody knows another epoch");
  }

  @Override
  public List<CopyHeader> held(
      StorageCluster secondary,
      StorageCluster primary,
      IngestTopic topic,
      int partition,
      long after,
      int limit) {
    throw new AssertionError("nobody looks for copies");
  }

  @Override
  public Map<Long, List<OffsetCell>> cells(StorageCluster secondary, Collection<Long> ids) {
    throw new AssertionError("nobody reads copies");
  }

  @Override
  public List<Ends> ends(StorageCluster secondary) {
    throw new AssertionError("nobody asks where copies end");
  }

  @Override
  public Map<String, Integer> reap(StorageCluster secondary, List<Reapable> reapable, int limit) {
    throw new AssertionError("nobody reaps");
  }
}
