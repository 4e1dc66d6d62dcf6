package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.Decision.Place;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ledgers of conflicts on primaries, as the sink asks for them: the cut above the SQL, below
 * which a model can stand. Each method throws {@link NodeUnavailableException} for a server that is
 * gone or left alone just now. Thread-safe.
 */
public interface ConflictLedger {
  /** How many decisions nobody has told yet. */
  long countUntold(StorageCluster primary) throws SQLException, NodeUnavailableException;

  /** The next decisions that nobody has told yet, as {@link ConflictTable#untold} finds them. */
  List<Decision> untold(StorageCluster primary, Map<Integer, Position> reached, int limit)
      throws SQLException, NodeUnavailableException;

  /** Those of some records whose refusal a server knows, told or not. */
  Set<Place> decided(Server server, Collection<Place> places)
      throws SQLException, NodeUnavailableException;

  /** Notes that refused records were told, and lets go of their bytes. */
  void told(StorageCluster primary, Collection<Place> places)
      throws SQLException, NodeUnavailableException;
}
