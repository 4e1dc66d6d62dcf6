package io.cellmesh.operations.log;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.operations.OperationException;
import java.util.List;
import java.util.Optional;

/**
 * What a user wants to be rebuilt.
 *
 * @param clusters by name; empty for all of them
 * @param shards empty for all of those clusters
 * @param deleteOld whether what the log holds now goes first
 * @param restart whether a rebuild that is in progress begins again
 */
public record RebuildRequest(
    List<String> clusters, Optional<ShardSet> shards, boolean deleteOld, boolean restart) {

  public RebuildRequest {
    clusters = List.copyOf(clusters);
    if (deleteOld && (!clusters.isEmpty() || shards.isPresent())) {
      throw OperationException.invalid(
          "--delete-old: only a rebuild of every shard of every cluster may delete what the log holds; leave out --cluster and --shards");
    }
  }

  /**
   * The clusters that are concerned.
   *
   * @throws OperationException if a shard belongs to none of the clusters that were named
   */
  public List<StorageCluster> targets(Topology topology) {
    var named =
        clusters.isEmpty()
            ? topology.clusters()
            : clusters.stream().map(topology::cluster).distinct().toList();
    if (shards.isEmpty()) {
      return named;
    }
    for (int shard : shards.get().stream().toArray()) {
      if (named.stream().noneMatch(cluster -> cluster.shards().contains(shard))) {
        throw OperationException.invalid(
            shard >= topology.shards().count()
                ? "--shards: the shards are 0 to " + (topology.shards().count() - 1)
                : "--shards: shard %d belongs to cluster %s"
                    .formatted(shard, topology.clusterOf(shard).name()));
      }
    }
    return named.stream().filter(cluster -> !of(cluster).ranges().isEmpty()).toList();
  }

  /** The shards of a cluster that are wanted. */
  ShardSet of(StorageCluster cluster) {
    var wanted = ShardSets.of(cluster.shards());
    shards.ifPresent(some -> wanted.retainAll(ShardSets.of(some)));
    return ShardSets.ranges(wanted);
  }
}
