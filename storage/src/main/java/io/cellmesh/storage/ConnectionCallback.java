package io.cellmesh.storage;

import java.sql.Connection;
import java.sql.SQLException;

/** Something to do on a connection. */
@FunctionalInterface
public interface ConnectionCallback<T> {
  T run(Connection connection) throws SQLException;

  /** What has no result. */
  static ConnectionCallback<Void> of(ConnectionAction action) {
    return connection -> {
      action.run(connection);
      return null;
    };
  }
}
