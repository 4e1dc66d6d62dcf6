package io.cellmesh.cli.stack;

import io.cellmesh.cli.deployment.IndexFile;
import io.cellmesh.devstack.Options;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What to start.
 *
 * @param stateDir empty for a temporary directory that goes with the stack
 * @param datacenters named dc1, dc2 …; with more than one, each gets the others' cells
 * @param shards S
 * @param partitions P
 * @param clusters storage clusters of each data centre, each a master and a minion
 * @param workers Connect workers of each data centre, all of one group
 */
public record StackOptions(
    Optional<Path> stateDir,
    int datacenters,
    int shards,
    int partitions,
    List<IndexFile> indexes,
    int clusters,
    int workers) {
  /** The instance that local stacks hold. */
  public static final String INSTANCE = "trips";

  /** So that a lag that is shown is at most a second old; the broker hardly notices. */
  private static final String FLUSH_INTERVAL_MS = "1000";

  public StackOptions {
    indexes = List.copyOf(indexes);
  }

  /** With two storage clusters and one Connect worker. */
  public StackOptions(
      Optional<Path> stateDir,
      int datacenters,
      int shards,
      int partitions,
      List<IndexFile> indexes) {
    this(stateDir, datacenters, shards, partitions, indexes, 2, 1);
  }

  /** As in the design: 64 shards in 16 partitions, in each data centre. */
  public static StackOptions of(int datacenters, List<IndexFile> indexes) {
    return new StackOptions(Optional.empty(), datacenters, 64, 16, indexes);
  }

  public StackOptions in(Path stateDir) {
    return new StackOptions(
        Optional.of(stateDir), datacenters, shards, partitions, indexes, clusters, workers);
  }

  public StackOptions withClusters(int count) {
    return new StackOptions(stateDir, datacenters, shards, partitions, indexes, count, workers);
  }

  public StackOptions withWorkers(int count) {
    return new StackOptions(stateDir, datacenters, shards, partitions, indexes, clusters, count);
  }

  Options devStack(Path home) {
    var options =
        Options.defaults()
            .withDatacenters(datacenters)
            .withClusters(clusters)
            .withWorkers(workers)
            .withInstance(INSTANCE, shards, partitions)
            .withWorkerSetting("offset.flush.interval.ms", FLUSH_INTERVAL_MS)
            .withPlugins(
                List.of(
                    home.resolve("connect-sink/target/plugin"),
                    home.resolve("connect-source/target/plugin")));
    return stateDir.map(options::withStateDir).orElse(options);
  }
}
