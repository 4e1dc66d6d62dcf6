package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;

/** A MySQL server that is gone, stuck or read-only, or that is being left alone for a while. */
public final class NodeUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  NodeUnavailableException(Server server, String why, Throwable cause) {
    super(server.address() + ": " + why, cause);
  }
}
