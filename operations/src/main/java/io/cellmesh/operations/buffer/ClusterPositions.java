package io.cellmesh.operations.buffer;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.IngestTopic;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far the servers of one cluster have its ingest partitions.
 *
 * @param positions by server, of those that answer
 */
record ClusterPositions(
    StorageCluster cluster, Map<Server, Map<Integer, Map<IngestTopic, Long>>> positions) {

  /** Whether the master answers. */
  boolean masterUp() {
    return positions.containsKey(cluster.master());
  }

  /**
   * The server whose positions stand for the cluster's: the master, or the minion that is farthest
   * while the master does not answer.
   */
  Optional<Server> told() {
    return masterUp()
        ? Optional.of(cluster.master())
        : cluster.minions().stream()
            .filter(positions::containsKey)
            .max(Comparator.comparingLong(this::sum));
  }

  /** The next offset that is not in the entity tables; empty if no server of it answers. */
  OptionalLong applied(IngestTopic topic, int partition) {
    return told().stream().mapToLong(server -> next(server, topic, partition)).findFirst();
  }

  /** The minions that lack something below an offset, or can't be asked. */
  List<Server> lacking(IngestTopic topic, int partition, long next) {
    return cluster.minions().stream()
        .filter(minion -> !positions.containsKey(minion) || next(minion, topic, partition) < next)
        .toList();
  }

  /** What a cell of a copy waits for, in words. */
  String state(IngestTopic topic, int partition, long offset, long next) {
    var applied = applied(topic, partition);
    if (applied.isEmpty() || offset >= applied.getAsLong()) {
      return "waiting";
    }
    if (cluster.minions().isEmpty()) {
      return "applied, stays: " + cluster.name() + " lists no minion";
    }
    var lacking = lacking(topic, partition, next).stream().map(Server::address).toList();
    return lacking.isEmpty() ? "can go" : "applied, waits for minion " + String.join(", ", lacking);
  }

  private long next(Server server, IngestTopic topic, int partition) {
    return positions.get(server).getOrDefault(partition, Map.of()).getOrDefault(topic, 0L);
  }

  private long sum(Server server) {
    return positions.get(server).values().stream()
        .flatMap(topics -> topics.values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }
}
