package io.cellmesh.bench;

import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.nio.file.Path;
import java.util.List;

/** The servers of each contestant: the same settings for all, and nothing beside them. */
final class Servers {
  static final String DATACENTER = "dc1";

  private static final int BUFFER_POOL_MIB = 512;

  private Servers() {}

  /**
   * A broker, a Connect worker with 512 MiB of heap, and masters, opened for writes.
   *
   * @param plugins where the worker finds connectors
   * @param masters storage clusters, each with so many minions
   */
  static DevStack start(
      List<Path> plugins, int masters, int minions, int shards, int partitions, Progress progress) {
    return DevStack.start(options(plugins, masters, minions, shards, partitions), progress);
  }

  /** What {@link #start} starts. */
  static Options options(List<Path> plugins, int masters, int minions, int shards, int partitions) {
    return Options.defaults()
        .withDatacenters(1)
        .withInstance("trips", shards, partitions)
        .withClusters(masters)
        .withMinions(minions)
        .withBufferPoolMiB(BUFFER_POOL_MIB)
        // A table a shard is open in several sessions at once.
        .withMySqlSetting("table_open_cache", "12000")
        .withMySqlSetting("table_definition_cache", "6000")
        .withMySqlSetting("loose_innodb_redo_log_capacity", "1G")
        // Kafka's own default: the tasks of a connector begin together.
        .withBrokerSetting("group.initial.rebalance.delay.ms", "3000")
        .withBrokerSetting("log.retention.check.interval.ms", "10000")
        .withBrokerSetting("log.segment.delete.delay.ms", "1000")
        .withPlugins(plugins)
        .withoutSideWork();
  }

  /** A folder of plugins that the build has left below the checkout. */
  static Path built(String plugin) {
    return CellmeshHome.built(plugin);
  }
}
