package io.cellmesh.operations.mesh.scrub;

import io.cellmesh.cell.proof.OriginShard;
import io.cellmesh.storage.replication.ServerRole;
import java.util.Map;
import java.util.Optional;

/**
 * Says up to where a server must have all that the log has: as far as the log was read, if the
 * server has executed all that the master had executed after that. It may lag else. A master that
 * takes no writes is none any more, or not yet: what the log has may come from another one.
 *
 * @param reached the highest origin_ids that the log had
 * @param master what the master said then; empty if it did not answer
 */
public record Expectation(Map<OriginShard, Long> reached, Optional<ServerRole> master) {
  public Expectation {
    reached = Map.copyOf(reached);
    master = master.filter(ServerRole::open);
  }

  /**
   * Returns up to where one server must have all; nothing where it may lag.
   *
   * @param server what it said after the master; empty if it did not answer
   */
  Map<OriginShard, Long> of(Optional<ServerRole> server) {
    return holds(server) ? reached : Map.of();
  }

  /**
   * Tells whether one server must have all that the log had.
   *
   * @param server as for {@link #of}
   */
  public boolean holds(Optional<ServerRole> server) {
    return master.isPresent()
        && server.filter(own -> own.executed().containsAll(master.get().executed())).isPresent();
  }
}
