package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;
import java.sql.SQLException;
import java.util.List;

/** An error of a known server; the message names it and says what to do about it. */
public final class ServerFailure extends SQLException {
  private static final long serialVersionUID = 1;

  private final transient Server server;
  private final transient List<String> concerned;

  ServerFailure(Server server, SQLException cause) {
    this(server, cause, List.of());
  }

  private ServerFailure(Server server, SQLException cause, List<String> concerned) {
    super(
        server.address() + ": " + MySqlErrors.explain(cause),
        cause.getSQLState(),
        cause.getErrorCode(),
        cause);
    this.server = server;
    this.concerned = List.copyOf(concerned);
  }

  /** The same failure, with what can't be answered because of it. The message stays as it is. */
  public ServerFailure concerning(List<String> values) {
    return new ServerFailure(server, (SQLException) getCause(), values);
  }

  /** What can't be answered because of it; empty if nobody said. */
  public List<String> concerned() {
    return concerned;
  }

  /** Whose error it is. */
  public Server server() {
    return server;
  }
}
