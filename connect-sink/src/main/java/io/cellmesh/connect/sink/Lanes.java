package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/** The lanes of the partitions that a task owns. */
final class Lanes {
  private final Topology topology;
  private final Map<Integer, Map<String, Lane>> lanes = new ConcurrentSkipListMap<>();

  Lanes(Topology topology) {
    this.topology = topology;
  }

  Lane of(StorageCluster primary, int partition) {
    return lanes
        .computeIfAbsent(partition, p -> new ConcurrentSkipListMap<>())
        .computeIfAbsent(primary.name(), name -> new Lane(primary, partition));
  }

  /** All lanes of a primary. */
  List<Lane> of(StorageCluster primary) {
    return lanes.values().stream()
        .map(byPrimary -> byPrimary.get(primary.name()))
        .filter(lane -> lane != null)
        .toList();
  }

  /** Every primary's lane of a partition. */
  List<Lane> ofPartition(int partition) {
    return topology.clusters().stream().map(cluster -> of(cluster, partition)).toList();
  }

  /** Whether this is the lane of its primary and partition still. */
  boolean has(Lane lane) {
    return lanes.getOrDefault(lane.partition(), Map.of()).get(lane.primary().name()) == lane;
  }

  /** Whether there are lanes of a partition: the task owns it. */
  boolean has(int partition) {
    return lanes.containsKey(partition);
  }

  /** Whether some lane has more copied than applied. */
  boolean anyBehind() {
    return lanes.values().stream()
        .flatMap(byPrimary -> byPrimary.values().stream())
        .anyMatch(Lane::behind);
  }

  /** The clusters that have lanes in every partition: all. */
  List<StorageCluster> primaries() {
    return topology.clusters();
  }

  Set<Integer> partitions() {
    return Set.copyOf(lanes.keySet());
  }

  /** Forgets partitions that this task no longer owns, or owns anew. */
  void forget(Collection<Integer> partitions) {
    lanes.keySet().removeAll(partitions);
  }
}
