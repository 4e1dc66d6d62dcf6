package io.cellmesh.storage;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferTable.CopyHeader;
import io.cellmesh.storage.BufferTable.Ends;
import io.cellmesh.storage.BufferTable.Reapable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The copies that secondaries hold, as the sink asks for them: the cut above the SQL, below which a
 * model can stand. Thread-safe. Each method asks the secondary's master, and throws {@link
 * NodeUnavailableException} if that is gone or left alone just now.
 */
public interface BufferStore {
  /**
   * Writes copies, as {@link BufferTable#insert} does.
   *
   * @param copies by primary
   * @param answer longest wait for the secondary's answer
   * @throws StaleEpochException if the secondary knows another epoch of one of the primaries
   */
  void insert(StorageCluster secondary, Map<StorageCluster, List<Copy>> copies, Duration answer)
      throws SQLException, NodeUnavailableException;

  /**
   * Lets a secondary know the epoch of a primary, as {@link EpochTable#raise} does.
   *
   * @return whether the one that it knew was lower
   */
  boolean raiseEpoch(StorageCluster secondary, StorageCluster primary, Duration answer)
      throws SQLException, NodeUnavailableException;

  /**
   * The next copies after an offset without their cells, as {@link BufferTable#held} finds them.
   */
  List<CopyHeader> held(
      StorageCluster secondary,
      StorageCluster primary,
      IngestTopic topic,
      int partition,
      long after,
      int limit)
      throws SQLException, NodeUnavailableException;

  /** The cells of copies, by their ids; a copy that is gone meanwhile is left out. */
  Map<Long, List<OffsetCell>> cells(StorageCluster secondary, Collection<Long> ids)
      throws SQLException, NodeUnavailableException;

  /** Where copies end of each primary, topic and partition. */
  List<Ends> ends(StorageCluster secondary) throws SQLException, NodeUnavailableException;

  /**
   * Deletes copies in one transaction, as {@link BufferTable#reap} does.
   *
   * @param reapable at most one of each primary
   * @param limit most copies of a primary
   * @return how many went, by primary
   */
  Map<String, Integer> reap(StorageCluster secondary, List<Reapable> reapable, int limit)
      throws SQLException, NodeUnavailableException;
}
