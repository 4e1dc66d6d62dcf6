package io.cellmesh.operations.log;

import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.ShardSet;
import io.cellmesh.operations.OperationException;
import java.util.Optional;

/** What is to be done with the source connector of one cluster. */
public sealed interface RebuildStep {
  SourceConnector connector();

  /**
   * It is stopped, gets an offset that asks for a rebuild, and runs again.
   *
   * @param shards to read again from the entity tables
   * @param again whether it was in the midst of a rebuild
   * @param wasStopped whether somebody else has stopped it
   */
  record Begin(SourceConnector connector, ShardSet shards, boolean again, boolean wasStopped)
      implements RebuildStep {

    /** Whether it is a rebuild of everything that the cluster has. */
    boolean whole() {
      return ShardSets.of(shards).equals(ShardSets.of(connector.cluster().shards()));
    }

    /**
     * The offset to set. Of all shards the task itself takes the server's executed set; of fewer,
     * the others go on where they are.
     *
     * @param stored the offset of the stopped connector
     * @throws OperationException if there is nothing that the other shards could go on from
     */
    LogOffset request(Optional<LogOffset> stored) {
      if (whole()) {
        return new LogOffset(Optional.empty(), Optional.empty(), Optional.of(shards));
      }
      var gtids = stored.flatMap(LogOffset::gtids);
      if (gtids.isEmpty()) {
        throw OperationException.refused(
            "%s has no stored GTID set that can be read, so the shards that are not rebuilt could not go on; rebuild all of %s: leave out --shards"
                .formatted(connector.name(), connector.cluster().name()));
      }
      return new LogOffset(gtids, Optional.empty(), Optional.of(shards));
    }
  }

  /**
   * A rebuild is in progress and goes on.
   *
   * @param remaining shards that are not finished
   * @param revive whether the connector has to be started again
   */
  record GoOn(SourceConnector connector, ShardSet remaining, boolean revive)
      implements RebuildStep {}

  /** It has been rebuilt already: another cluster's rebuild, begun with it, is in progress. */
  record Leave(SourceConnector connector) implements RebuildStep {}
}
