package io.cellmesh.operations.conflict;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.storage.ConflictListing;
import io.cellmesh.storage.ConflictListing.Entry;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Lists the cells of its peers that a data centre has refused, from the ledgers of its masters:
 * what a proof of agreement has to leave out. Any number of threads may share it.
 */
public final class RefusedCells {
  static final int PAGE = 1_000;

  private final Shards shards;
  private final Pages pages;

  /**
   * @param meshTopic Kafka's id of {@code trips.mesh} here, see {@link IngestTopicIds}
   */
  public RefusedCells(Topology topology, Pools pools, UUID meshTopic) {
    this(
        topology.shards(),
        (shard, from, end) -> {
          int partition = topology.shards().partitionOf(shard);
          try (var connection = pools.open(topology.clusterOf(shard).master())) {
            return new ConflictListing(topology)
                .ofRecords(connection, meshTopic, partition, from, end, PAGE);
          }
        });
  }

  RefusedCells(Shards shards, Pages pages) {
    this.shards = shards;
    this.pages = pages;
  }

  /** A ledger, in the order of offsets, a page at a time. */
  interface Pages {
    /** The first of a shard's partition whose offsets are in a range; at most a page. */
    List<Entry> of(int shard, long from, long end) throws SQLException;
  }

  /**
   * A cell that came by the mesh and met another body.
   *
   * @param origin the data centre that wrote it first
   * @param digest of the body that was refused, SHA-256 in hex
   * @param offset of its record in its partition of {@code trips.mesh}
   */
  public record Refused(String origin, CellKey key, String digest, long offset) {}

  /**
   * Hands out those of one shard whose records stand in a range of the mesh topic, in the order of
   * their offsets, a page at a time. What the sink has not reached is not decided, so it is not
   * among them. A link that repeats a cell after a restart has it refused again under the other
   * offset.
   *
   * @param from the first offset in the shard's partition of {@code trips.mesh}
   * @param end the offset after the last one
   * @throws SQLException if the master of the shard can't be asked
   */
  public void of(int shard, long from, long end, Consumer<Refused> consumer) throws SQLException {
    for (long next = from; next < end; ) {
      var page = pages.of(shard, next, end);
      for (var entry : page) {
        if (shards.of(entry.key().rowKey()) == shard) {
          consumer.accept(
              new Refused(entry.refusedOrigin(), entry.key(), entry.refused(), entry.offset()));
        }
      }
      next = page.size() < PAGE ? end : page.get(page.size() - 1).offset() + 1;
    }
  }
}
