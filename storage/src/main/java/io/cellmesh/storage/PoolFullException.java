package io.cellmesh.storage;

import java.sql.SQLException;

/**
 * All connections to a server were in use for as long as one may wait. That says nothing about the
 * server.
 */
final class PoolFullException extends SQLException {
  private static final long serialVersionUID = 1L;

  PoolFullException(int size, SQLException cause) {
    super("all %d connections to it are in use".formatted(size), cause);
  }
}
