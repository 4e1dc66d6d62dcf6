package io.cellmesh.storage;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.EntityTransaction.Write;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Positions and entity tables, as the sink asks for them: the cut above the SQL, below which a
 * model can stand. Thread-safe. Each method throws {@link NodeUnavailableException} for a server
 * that is gone or left alone just now, and SQLException for what only a person can mend.
 */
public interface PrimaryStore {
  /** The positions of partitions as the primary's master has them now. */
  Map<Integer, Position> positions(StorageCluster primary, Collection<Integer> partitions)
      throws SQLException, NodeUnavailableException;

  /**
   * Runs one transaction as {@link EntityTransaction#run} does; on lock contention again, a few
   * times.
   *
   * @param beforeCommit called in each attempt when everything is written
   */
  Result write(StorageCluster primary, List<Write> writes, Refusals refusals, Runnable beforeCommit)
      throws SQLException, NodeUnavailableException;

  /** How far a server is, master or minion. */
  Reached reached(Server server, Collection<Integer> partitions)
      throws SQLException, NodeUnavailableException;

  /**
   * How far a server is.
   *
   * @param uuid its {@code server_uuid}
   * @param executed the transactions that it has committed, asked for after the positions
   */
  record Reached(String uuid, Map<Integer, Position> positions, GtidSet executed) {}
}
