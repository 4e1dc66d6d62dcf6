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
 * The shard map as it is now: of each cluster the newest entry that the file or a server has had.
 * Servers tell with each answer which epochs they know; one that is newer says that the map is old,
 * and until a newer map is there nobody is taken for that cluster's master (invariant 10).
 * Thread-safe.
 */
public final class ShardMap {
  private static final Logger LOG = LoggerFactory.getLogger(ShardMap.class);

  private final TopologyStore store;
  private final ConcurrentHashMap<String, Integer> epochs = new ConcurrentHashMap<>();
  private volatile Topology topology;

  /** What the file had when it was last read. */
  private Topology inFile;

  /**
   * @param store where a newer map may be found
   */
  public ShardMap(Topology topology, TopologyStore store) {
    this.topology = topology;
    this.inFile = topology;
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

  /** Whether that is so of every cluster. */
  public boolean isCurrent() {
    return topology.clusters().stream().allMatch(this::isCurrent);
  }

  /**
   * Reads the file again. A map that can't be read, or is of another instance or another number of
   * shards, is left where it is; of one that is older than what servers told only the rest counts.
   */
  public synchronized void refresh() {
    try {
      var read = store.read();
      if (!read.equals(inFile) && isOfThisInstance(read, store.file().toString())) {
        inFile = read;
        become(read.withNewerOf(topology), store.file().toString());
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} can't be read; the map is kept: {}", store.file(), e.getMessage());
    }
  }

  /**
   * Takes what is newer in a map that a server has.
   *
   * @param who has it, for the log
   */
  public synchronized void offer(Topology told, String who) {
    if (isOfThisInstance(told, who)) {
      become(topology.withNewerOf(told), who);
    }
  }

  private boolean isOfThisInstance(Topology other, String source) {
    boolean same =
        other.instance().equals(topology.instance()) && other.shards().equals(topology.shards());
    if (!same) {
      LOG.error("{} has the map of another instance; the one before is kept", source);
    }
    return same;
  }

  private void become(Topology next, String source) {
    if (!next.equals(topology)) {
      LOG.info("the topology has changed: {}", source);
      topology = next;
    }
  }
}
