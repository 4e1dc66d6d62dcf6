package io.cellmesh.storage.grants;

import java.util.Locale;

/** Who signs on to MySQL servers, each as a user of its own. */
public enum Role {
  /** CellSinkConnector. */
  SINK,
  /** CellSourceConnector. */
  SOURCE,
  /** IndexSinkConnector. */
  INDEX,
  /** Whoever gets cells and queries indexes. */
  READER,
  /** Whoever looks at everything, changes the roles of servers and builds indexes. */
  OPERATOR,
  /** A minion that follows its master. */
  REPLICATION;

  /** As commands and names of users say it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The usual name of its user, such as {@code cellmesh_sink}. */
  public String user() {
    return "cellmesh_" + text();
  }
}
