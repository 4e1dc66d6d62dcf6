package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;
import java.sql.SQLException;

/** An error of a known server; the message names it and says what to do about it. */
public final class ServerFailure extends SQLException {
  private static final long serialVersionUID = 1;

  private final transient Server server;

  ServerFailure(Server server, SQLException cause) {
    super(
        server.address() + ": " + MySqlErrors.explain(cause),
        cause.getSQLState(),
        cause.getErrorCode(),
        cause);
    this.server = server;
  }

  /** Whose error it is. */
  public Server server() {
    return server;
  }
}
