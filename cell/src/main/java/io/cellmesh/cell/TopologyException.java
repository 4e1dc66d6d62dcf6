package io.cellmesh.cell;

/** A topology that can't be used; the message names the shards, the cluster or the setting. */
public final class TopologyException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public TopologyException(String message) {
    super(message);
  }
}
