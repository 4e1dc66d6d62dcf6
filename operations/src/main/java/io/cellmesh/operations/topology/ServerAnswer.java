package io.cellmesh.operations.topology;

import io.cellmesh.storage.replication.ServerRole;
import java.util.Optional;

/**
 * What a server said when it was asked what it is.
 *
 * @param role empty if it did not answer
 * @param silence why it did not; empty if it did
 */
public record ServerAnswer(Optional<ServerRole> role, String silence) {
  public static ServerAnswer of(ServerRole role) {
    return new ServerAnswer(Optional.of(role), "");
  }

  public static ServerAnswer silent(String why) {
    return new ServerAnswer(Optional.empty(), why);
  }

  public boolean answered() {
    return role.isPresent();
  }
}
