package io.cellmesh.operations.verify;

import static java.util.stream.Collectors.groupingBy;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.operations.conflict.IngestTopicIds;
import io.cellmesh.storage.ConflictListing;
import io.cellmesh.storage.ConflictListing.Entry;
import io.cellmesh.storage.ConflictTable;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The conflicts that the masters have decided, told or not. Any number of threads may share it. */
final class Ledger {
  private final Topology topology;
  private final Pools pools;
  private final ConflictTable table;
  private final ConflictListing listing;
  private final Map<String, UUID> topicIds;

  private Ledger(Topology topology, Pools pools, Map<String, UUID> topicIds) {
    this.topology = topology;
    this.pools = pools;
    this.table = new ConflictTable(topology);
    this.listing = new ConflictListing(topology);
    this.topicIds = topicIds;
  }

  /**
   * @param kafka whose brokers know the ids of the ingest topics
   */
  static Ledger of(Topology topology, Pools pools, KafkaAccess kafka) {
    return new Ledger(topology, pools, IngestTopicIds.of(kafka, topology.topics()));
  }

  /** Whether the master of the record's cell has refused it. */
  boolean decided(Ingested record) throws SQLException {
    if (record.cell().isEmpty()) {
      return false;
    }
    var place = new Place(topicIds.get(record.topic()), record.partition(), record.offset());
    var master = topology.clusterOf(shardOf(record.cell().get().key())).master();
    try (var connection = pools.open(master)) {
      return !table.decided(connection, List.of(place)).isEmpty();
    }
  }

  /**
   * The decisions about some cells, by cell, from the masters that own them; those without any are
   * not in it.
   */
  Map<CellKey, List<Entry>> about(Collection<CellKey> keys) throws SQLException {
    var byMaster =
        keys.stream().collect(groupingBy(key -> topology.clusterOf(shardOf(key)).master()));
    var found = new HashMap<CellKey, List<Entry>>();
    for (var some : byMaster.entrySet()) {
      try (var connection = pools.open(some.getKey())) {
        found.putAll(listing.of(connection, some.getValue()));
      }
    }
    return found;
  }

  /** Conflicts that wait to be told. */
  long untold() throws SQLException {
    long untold = 0;
    for (var cluster : topology.clusters()) {
      try (var connection = pools.open(cluster.master())) {
        untold += table.countUntold(connection);
      }
    }
    return untold;
  }

  private int shardOf(CellKey key) {
    return topology.shards().of(key.rowKey());
  }
}
