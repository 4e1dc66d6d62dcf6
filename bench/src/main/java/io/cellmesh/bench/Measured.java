package io.cellmesh.bench;

import io.cellmesh.devstack.DevStack;
import java.sql.SQLException;
import java.util.Map;

/** A connector whose pace is taken; {@link ConnectorDriver} takes it. */
interface Measured {
  /** A word or two, as in the result. */
  String name();

  /** The servers that it works with. */
  DevStack stack();

  /** How the names of its own classes begin. */
  String code();

  /** Its connector's name in Connect. */
  String connectorName();

  /** Its connector's configuration. */
  Map<String, String> connector() throws Exception;

  /**
   * How many cells have come through, cheap enough to be asked a hundred times a second. In between
   * it may run a batch ahead; not with the first cells of a round, nor with the last.
   */
  long visible() throws SQLException;
}
