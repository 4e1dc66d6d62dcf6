package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Topology.StorageCluster;
import java.util.stream.Stream;

/**
 * Knows whether positions and copies prove that nothing is missing of what is committed, as a later
 * owner has to (invariant 2).
 */
final class CopyProof {
  private final World world;

  CopyProof(World world) {
    this.world = world;
  }

  /** Whether it can be proved of all that is committed without a server. */
  boolean holds(ModelledServer without) {
    for (var log : world.kafka.logs()) {
      if (!holds(log, without)) {
        return false;
      }
    }
    return true;
  }

  /** Whether it can be proved without a server that nothing is missing of what is committed. */
  private boolean holds(ModelledKafka.Log log, ModelledServer without) {
    return world.topology.clusters().stream().allMatch(cluster -> holds(cluster, log, 0, without));
  }

  /**
   * The same of one primary.
   *
   * @param from an offset below which it is not looked
   */
  boolean holds(StorageCluster cluster, ModelledKafka.Log log, long from, ModelledServer without) {
    return masters(cluster, without)
        .map(server -> server.positions.get(log.at.partition()).of(log.topic))
        .allMatch(position -> copiesReach(cluster, log, Math.max(position, from), without));
  }

  /** The master; without it, whoever could be promoted. */
  private Stream<ModelledServer> masters(StorageCluster cluster, ModelledServer without) {
    var master = world.server(cluster.master());
    if (master != without) {
      return Stream.of(master);
    }
    var minions = cluster.minions().stream().map(world::server).toList();
    int most = minions.stream().mapToInt(minion -> minion.received).max().orElse(0);
    return minions.stream().filter(minion -> minion.received == most);
  }

  /** Whether copies reach from an offset to what is committed. */
  private boolean copiesReach(
      StorageCluster cluster, ModelledKafka.Log log, long from, ModelledServer without) {
    long reached = from;
    while (reached < log.committed) {
      long next = reached;
      for (var holder : world.listed()) {
        if (holder == without) {
          continue;
        }
        for (var held : holder.buffer.values()) {
          var copy = held.copy();
          boolean joins =
              copy.primary().equals(cluster.name())
                  && copy.topic() == log.topic
                  && copy.partition() == log.at.partition()
                  && copy.previous() <= reached;
          next = joins ? Math.max(next, copy.next()) : next;
        }
      }
      if (next == reached) {
        return false;
      }
      reached = next;
    }
    return true;
  }
}
