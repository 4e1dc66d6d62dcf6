package io.cellmesh.storage;

import java.sql.Connection;
import java.sql.SQLException;

/** Something to do on a connection that has no result. */
@FunctionalInterface
public interface ConnectionAction {
  void run(Connection connection) throws SQLException;
}
