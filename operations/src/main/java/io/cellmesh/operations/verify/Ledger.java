package io.cellmesh.operations.verify;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.ConflictTable;
import io.cellmesh.storage.Decision.Place;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.Consumers;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;

/** The conflicts that the masters have decided, told or not. Any number of threads may share it. */
final class Ledger {
  private final Topology topology;
  private final Pools pools;
  private final ConflictTable table;
  private final Map<String, UUID> topicIds;

  private Ledger(Topology topology, Pools pools, Map<String, UUID> topicIds) {
    this.topology = topology;
    this.pools = pools;
    this.table = new ConflictTable(topology);
    this.topicIds = topicIds;
  }

  /**
   * @param kafka whose brokers know the ids of the ingest topics
   */
  static Ledger of(Topology topology, Pools pools, KafkaAccess kafka) {
    try (var admin = Consumers.admin(kafka)) {
      var ids = new HashMap<String, UUID>();
      var topics = List.of(topology.topics().cells(), topology.topics().mesh());
      admin
          .describeTopics(topics)
          .allTopicNames()
          .get()
          .forEach(
              (name, topic) ->
                  ids.put(
                      name,
                      new UUID(
                          topic.topicId().getMostSignificantBits(),
                          topic.topicId().getLeastSignificantBits())));
      return new Ledger(topology, pools, ids);
    } catch (ExecutionException e) {
      throw OperationException.unavailable(
          "the ingest topics can't be described: " + e.getCause().getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Whether the master of the record's cell has refused it. */
  boolean decided(Ingested record) throws SQLException {
    if (record.cell().isEmpty()) {
      return false;
    }
    var place = new Place(topicIds.get(record.topic()), record.partition(), record.offset());
    int shard = topology.shards().of(record.cell().get().key().rowKey());
    try (var connection = pools.open(topology.clusterOf(shard).master())) {
      return !table.decided(connection, List.of(place)).isEmpty();
    }
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
}
