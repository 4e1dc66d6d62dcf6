package io.cellmesh.deployment;

import java.util.Set;

/**
 * Where a data centre's herb-replicator lets peers read its own cells over HTTP.
 *
 * @param bind the address to listen on
 * @param port to listen on
 * @param allowed the data centres that may read, by the names in their certificates
 */
public record MeshServer(String bind, int port, Set<String> allowed) {
  public MeshServer {
    allowed = Set.copyOf(allowed);
  }
}
