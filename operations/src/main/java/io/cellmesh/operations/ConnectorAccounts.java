package io.cellmesh.operations;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.util.List;

/** The MySQL users of an instance's connectors, one a role. */
public interface ConnectorAccounts {
  /** Stands for the role's name in what connectors are configured with. */
  String ROLE = "{role}";

  /** How connectors sign on, each with {@link #ROLE} in its place; the secrets are references. */
  Credentials connectors();

  /**
   * Lets the index sinks write the tables of more indexes.
   *
   * @throws SQLException if a master of the data centre refuses it
   */
  void grant(Topology topology, List<IndexDefinition> indexes, Pools pools) throws SQLException;
}
