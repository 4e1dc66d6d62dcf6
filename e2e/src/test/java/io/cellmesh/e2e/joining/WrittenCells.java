package io.cellmesh.e2e.joining;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.e2e.ExpiredRecords;
import io.cellmesh.storage.EntityCounts;
import io.cellmesh.storage.Pools;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.TopicOffsets;

/** What a data centre has, in its tables and in its log. */
record WrittenCells(DataCenter dc) {

  long count() throws Exception {
    try (var pools = new Pools(dc.operator())) {
      return EntityCounts.byShard(dc.topology(), pools).values().stream()
          .mapToLong(Long::longValue)
          .sum();
    }
  }

  /** The highest added_id of a shard. */
  long last(int shard) throws Exception {
    try (var pools = new Pools(dc.operator())) {
      return pools.ask(
          dc.topology().clusterOf(shard).master(),
          connection -> {
            try (var statement = connection.createStatement();
                var row =
                    statement.executeQuery(
                        "SELECT MAX(added_id) FROM trips_%04d.entity".formatted(shard))) {
              row.next();
              return row.getLong(1);
            }
          });
    }
  }

  TopicOffsets log() {
    try (var client = Consumers.open(dc.kafka())) {
      return TopicOffsets.of(client, "trips.log");
    }
  }

  /** Takes the first half of its log away, as retention does. */
  void cutLogInTheMiddle() throws Exception {
    ExpiredRecords.firstHalf(dc.kafka(), "trips.log");
  }
}
