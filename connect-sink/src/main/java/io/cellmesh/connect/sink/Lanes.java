package io.cellmesh.connect.sink;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/** The lanes of the partitions that a task owns. */
final class Lanes {
  private final Topology topology;

  /** Of each partition the lanes of all primaries, by their names. */
  private final Map<Integer, Map<String, Lane>> lanes = new ConcurrentSkipListMap<>();

  Lanes(Topology topology) {
    this.topology = topology;
  }

  Lane of(StorageCluster primary, int partition) {
    return byPrimary(partition).get(primary.name());
  }

  /** All lanes of a primary. */
  List<Lane> of(StorageCluster primary) {
    return all(primary).toList();
  }

  /** The lanes of a primary for which something waits. */
  List<Lane> leftBehind(StorageCluster primary) {
    return all(primary).filter(Lane::leftBehind).toList();
  }

  /** Every primary's lane of a partition. */
  List<Lane> ofPartition(int partition) {
    return List.copyOf(byPrimary(partition).values());
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

  private Stream<Lane> all(StorageCluster primary) {
    return lanes.values().stream().map(byPrimary -> byPrimary.get(primary.name()));
  }

  private Map<String, Lane> byPrimary(int partition) {
    return lanes.computeIfAbsent(partition, this::begin);
  }

  private Map<String, Lane> begin(int partition) {
    var byPrimary = new LinkedHashMap<String, Lane>();
    topology
        .clusters()
        .forEach(primary -> byPrimary.put(primary.name(), new Lane(primary, partition)));
    return byPrimary;
  }
}
