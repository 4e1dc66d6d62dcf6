package io.cellmesh.storage;

import io.cellmesh.cell.Topology.Server;

/** A MySQL server that can't be used just now, for one of the reasons in {@link Why}. */
public final class NodeUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Why why;

  /** What is in the way. */
  public enum Why {
    /** The server is gone or stuck, or is being left alone for a while. */
    GONE,
    /** It answers, and takes no writes. */
    WRITES_NOTHING,
    /** It is well; this client's own connections, or locks, are taken. */
    BUSY
  }

  public NodeUnavailableException(Server server, Why why, String text, Throwable cause) {
    super(server.address() + ": " + text, cause);
    this.why = why;
  }

  /** What is in the way. */
  public Why why() {
    return why;
  }
}
