package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;
import java.sql.SQLException;

/** An error of a known server; the message names it and says what to do about it. */
public final class ServerFailure extends SQLException {
  private static final long serialVersionUID = 1;

  ServerFailure(Server server, SQLException cause) {
    super(
        server.address() + ": " + MySqlErrors.explain(cause),
        cause.getSQLState(),
        cause.getErrorCode(),
        cause);
  }
}
