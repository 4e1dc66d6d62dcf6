package io.cellmesh.stack;

import io.cellmesh.deployment.MeshAccess;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.Options;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.topics.LogShape;
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
 * @param shape of the log; the applications read one topic for all shards, so with a topic for each
 *     there are neither indexes nor a second data centre
 * @param secure whether MySQL, Kafka and Connect speak TLS and ask who it is, each connector being
 *     a user of its own
 * @param http whether each data centre has a worker, which serves its cells over HTTP
 * @param exactlyOnce whether Connect commits the log's records together with the sources' offsets,
 *     so that a reader of committed records sees each once
 * @param paths what is reached through a {@code NetworkPath} of this JVM, as long as it lives
 * @param brokers of each data centre, each keeping a copy of every topic
 * @param linger milliseconds that each step on a cell's way may wait for more cells, so that many
 *     take less of the machine; 0 has each cell go on at once
 * @param share of what a sink passes that links keep to with a backlog, while others' cells come
 * @param diskMiB the size of the disk that each MySQL server and broker has of its own, which only
 *     root can give them; 0 for none
 * @param bufferPoolMiB InnoDB's, of each server, which reads the pages of an index that it does not
 *     hold; 0 for 64, or with the peers' paths 192
 * @param undisturbed whether it is measured: its JVMs compile all the way, as where they run for
 *     days, and what the stack does on the side is left out
 */
public record StackOptions(
    Optional<Path> stateDir,
    int datacenters,
    int shards,
    int partitions,
    List<IndexFile> indexes,
    int clusters,
    int workers,
    LogShape shape,
    boolean secure,
    boolean http,
    boolean exactlyOnce,
    Paths paths,
    int brokers,
    int linger,
    double share,
    int diskMiB,
    int bufferPoolMiB,
    boolean undisturbed) {
  /** Networks that can be made to fail; what passes one takes longer, and processor time. */
  public enum Paths {
    NONE,

    /** Those between data centres. */
    PEERS,

    /** And those before each MySQL server and each broker. */
    ALL
  }

  /** The instance that local stacks hold. */
  public static final String INSTANCE = "trips";

  /** P of local stacks. */
  public static final int PARTITIONS = 16;

  /** So that a lag that is shown is at most a second old; the broker hardly notices. */
  private static final String FLUSH_INTERVAL_MS = "1000";

  /**
   * Kafka's own default: a broker that hangs for less keeps its partitions. After more a lone one
   * has no leaders for a moment, as after a restart, which not all open transactions survive. The
   * shorter session of other stacks brings a killed broker back sooner.
   */
  private static final String BROKER_SESSION_MS = "9000";

  /**
   * A stack with paths lives no longer than this JVM, and nothing in it is away for so long; all
   * binlogs of three data centres would be a GiB more every few minutes under load.
   */
  private static final String BINLOG_SECONDS = "900";

  private static final String BINLOG_BYTES = Integer.toString(64 << 20);

  /**
   * The indexes of half a million cells of each of three data centres, whose keys come in no order:
   * with the pool that is enough for minutes, a server under load reads and writes pages all the
   * time after ten.
   */
  private static final int ALL_KEYS_MIB = 192;

  public StackOptions {
    indexes = List.copyOf(indexes);
    if (shape == LogShape.TOPIC && (datacenters > 1 || !indexes.isEmpty())) {
      throw new IllegalArgumentException("indexes and other data centres need a log in one topic");
    }
  }

  /** With two storage clusters and one Connect worker. */
  public StackOptions(
      Optional<Path> stateDir,
      int datacenters,
      int shards,
      int partitions,
      List<IndexFile> indexes) {
    this(
        stateDir,
        datacenters,
        shards,
        partitions,
        indexes,
        2,
        1,
        LogShape.PARTITION,
        false,
        false,
        false,
        Paths.NONE,
        1,
        0,
        MeshAccess.SHARE,
        0,
        0,
        false);
  }

  /** As in the design: 64 shards in 16 partitions, in each data centre. */
  public static StackOptions of(int datacenters, List<IndexFile> indexes) {
    return new StackOptions(Optional.empty(), datacenters, 64, PARTITIONS, indexes);
  }

  public StackOptions in(Path stateDir) {
    return with(Optional.of(stateDir), shards, clusters, workers, shape, secure, http, exactlyOnce);
  }

  public StackOptions withShards(int count) {
    return with(stateDir, count, clusters, workers, shape, secure, http, exactlyOnce);
  }

  public StackOptions withClusters(int count) {
    return with(stateDir, shards, count, workers, shape, secure, http, exactlyOnce);
  }

  public StackOptions withWorkers(int count) {
    return with(stateDir, shards, clusters, count, shape, secure, http, exactlyOnce);
  }

  public StackOptions withShape(LogShape changed) {
    return with(stateDir, shards, clusters, workers, changed, secure, http, exactlyOnce);
  }

  /** With TLS, one user a role on MySQL and Kafka, and a password for Connect. */
  public StackOptions secured() {
    return with(stateDir, shards, clusters, workers, shape, true, http, exactlyOnce);
  }

  /** With a worker in each data centre. */
  public StackOptions withHttp() {
    return with(stateDir, shards, clusters, workers, shape, secure, true, exactlyOnce);
  }

  /** With Connect's exactly-once support for sources. */
  public StackOptions withExactlyOnce() {
    return with(stateDir, shards, clusters, workers, shape, secure, http, true);
  }

  /** With networks that can be made to fail. */
  public StackOptions withPaths(Paths which) {
    return with(which, brokers, linger, share, diskMiB, bufferPoolMiB, undisturbed);
  }

  /** With so many brokers; of three, one may be missing. */
  public StackOptions withBrokers(int count) {
    return with(paths, count, linger, share, diskMiB, bufferPoolMiB, undisturbed);
  }

  /** With steps that each wait so many milliseconds for more cells. */
  public StackOptions withLinger(int millis) {
    return with(paths, brokers, millis, share, diskMiB, bufferPoolMiB, undisturbed);
  }

  /** With links that keep to such a share with a backlog, 0.1 to 1. */
  public StackOptions withShare(double part) {
    return with(paths, brokers, linger, part, diskMiB, bufferPoolMiB, undisturbed);
  }

  /** With a disk of its own for each MySQL server and broker. */
  public StackOptions withDisks(int sizeMiB) {
    return with(paths, brokers, linger, share, sizeMiB, bufferPoolMiB, undisturbed);
  }

  /** With InnoDB's buffer pool of such a size in each MySQL server. */
  public StackOptions withBufferPoolMiB(int size) {
    return with(paths, brokers, linger, share, diskMiB, size, undisturbed);
  }

  /** For measurements: the processors belong to the product alone. */
  public StackOptions withoutSideWork() {
    return with(paths, brokers, linger, share, diskMiB, bufferPoolMiB, true);
  }

  private StackOptions with(
      Paths paths,
      int brokers,
      int linger,
      double share,
      int diskMiB,
      int bufferPoolMiB,
      boolean undisturbed) {
    return new StackOptions(
        stateDir,
        datacenters,
        shards,
        partitions,
        indexes,
        clusters,
        workers,
        shape,
        secure,
        http,
        exactlyOnce,
        paths,
        brokers,
        linger,
        share,
        diskMiB,
        bufferPoolMiB,
        undisturbed);
  }

  private StackOptions with(
      Optional<Path> stateDir,
      int shards,
      int clusters,
      int workers,
      LogShape shape,
      boolean secure,
      boolean http,
      boolean exactlyOnce) {
    return new StackOptions(
        stateDir,
        datacenters,
        shards,
        partitions,
        indexes,
        clusters,
        workers,
        shape,
        secure,
        http,
        exactlyOnce,
        paths,
        brokers,
        linger,
        share,
        diskMiB,
        bufferPoolMiB,
        undisturbed);
  }

  /** Our connectors, unpacked, for a worker's plugin.path. */
  public static List<Path> plugins(Path home) {
    return CellmeshHome.plugins(home);
  }

  Options devStack(Path home) {
    var options =
        Options.defaults()
            .withDatacenters(datacenters)
            .withClusters(clusters)
            .withWorkers(workers)
            .withBrokers(brokers)
            .withDisks(diskMiB)
            .withInstance(INSTANCE, shards, partitions)
            .withWorkerSetting("offset.flush.interval.ms", FLUSH_INTERVAL_MS)
            .withPlugins(plugins(home));
    if (secure) {
      options = options.withTls().withKafkaSecurity().withRestSecurity();
    }
    options =
        switch (paths) {
          case NONE -> options;
          case PEERS -> options.withPeersPaths().withBufferPoolMiB(ALL_KEYS_MIB);
          case ALL -> options.withNetworkPaths();
        };
    if (paths != Paths.NONE) {
      options =
          options
              .withMySqlSetting("max_binlog_size", BINLOG_BYTES)
              .withMySqlSetting("binlog_expire_logs_seconds", BINLOG_SECONDS);
    }
    if (bufferPoolMiB > 0) {
      options = options.withBufferPoolMiB(bufferPoolMiB);
    }
    if (undisturbed) {
      options = options.withoutSideWork();
    }
    if (exactlyOnce) {
      options =
          options
              .withWorkerSetting("exactly.once.source.support", "enabled")
              .withBrokerSetting("broker.session.timeout.ms", BROKER_SESSION_MS);
    }
    return stateDir.map(options::withStateDir).orElse(options);
  }
}
