package io.cellmesh.worker.read;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.TopologyStore;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shard map as it is now. Servers tell with each answer which epochs they know; one that is
 * newer says that the map is old, and until a newer map is there nobody is taken for that cluster's
 * master (invariant 10). Thread-safe.
 */
public final class ShardMap {
  private static final Logger LOG = LoggerFactory.getLogger(ShardMap.class);

  private final TopologyStore store;
  private final ConcurrentHashMap<String, Integer> epochs = new ConcurrentHashMap<>();
  private volatile Topology topology;

  /**
   * @param store where a newer map is found
   */
  public ShardMap(Topology topology, TopologyStore store) {
    this.topology = topology;
    this.store = store;
  }

  public Topology current() {
    return topology;
  }

  /** Notes the epochs that a server knows. */
  public void saw(Map<String, Integer> known) {
    known.forEach((cluster, epoch) -> epochs.merge(cluster, epoch, Math::max));
  }

  /** Whether no server has told of a later epoch of a cluster than the map has. */
  public boolean isCurrent(StorageCluster cluster) {
    return epochs.getOrDefault(cluster.name(), 0) <= cluster.epoch();
  }

  /**
   * Reads the map again. One that can't be read, or is of another instance or another number of
   * shards, is left where it is.
   */
  public void refresh() {
    try {
      var read = store.read();
      var now = topology;
      if (read.equals(now)) {
        return;
      }
      if (!read.instance().equals(now.instance()) || !read.shards().equals(now.shards())) {
        LOG.error("{} is the map of another instance now; the one before is kept", store.file());
        return;
      }
      LOG.info("the topology has changed: {}", store.file());
      topology = read;
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} can't be read; the map is kept: {}", store.file(), e.getMessage());
    }
  }
}
