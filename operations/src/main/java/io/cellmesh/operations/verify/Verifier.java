package io.cellmesh.operations.verify;

import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexCatalog;
import io.cellmesh.storage.index.IndexVersion;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Runs all checks over all data centres. Nothing should be written meanwhile. */
public final class Verifier {
  /** A checksum over a large shard takes longer than any request of a user's may. */
  private static final MySqlOptions PATIENT =
      new MySqlOptions(
          Duration.ofSeconds(15),
          Duration.ofMinutes(10),
          Duration.ofSeconds(5),
          Duration.ofMinutes(10),
          MySqlOptions.DEFAULT.poolSize());

  private final Deployment deployment;
  private final Map<String, IngestArchive> archives;
  private final List<Path> plugins;

  /** Verifies what is retained. */
  public Verifier(Deployment deployment) {
    this(deployment, List.of());
  }

  /**
   * Verifies what is retained, where a sink has a converter read it.
   *
   * @param plugins directories with the jars of such converters
   */
  public Verifier(Deployment deployment, List<Path> plugins) {
    this(deployment, plugins, Map.of());
  }

  /**
   * Verifies what was archived, too.
   *
   * @param archives by data centre: each has what its ingest topics no longer retain
   */
  public Verifier(Deployment deployment, Map<String, IngestArchive> archives) {
    this(deployment, List.of(), archives);
  }

  private Verifier(Deployment deployment, List<Path> plugins, Map<String, IngestArchive> archives) {
    this.deployment = deployment;
    this.plugins = List.copyOf(plugins);
    this.archives = Map.copyOf(archives);
  }

  /**
   * Reads everything once.
   *
   * @throws io.cellmesh.operations.OperationException if a sink's converter can't be made here
   * @param progress called with the number of partitions done, by one thread at a time
   */
  public Verification run(LongConsumer progress) throws SQLException {
    long start = System.nanoTime();
    try (var pools = new Pools(deployment.operator(), PATIENT)) {
      var converters = new SinkConverters(plugins);
      var snapshots = new LinkedHashMap<Snapshot, List<IndexFile>>();
      for (var datacenter : deployment.datacenters()) {
        var converter = converters.of(datacenter);
        converter.ifPresent(converters::require);
        var snapshot =
            new Snapshot(
                datacenter,
                pools,
                Optional.ofNullable(archives.get(datacenter.name())),
                () -> converter.map(converters::open));
        snapshots.put(snapshot, indexes(snapshot, pools));
      }
      var results = check(snapshots, progress).finish();
      boolean moved = snapshots.keySet().stream().anyMatch(Snapshot::hasMoved);
      return new Verification(results, moved, Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private PartitionChecks check(Map<Snapshot, List<IndexFile>> snapshots, LongConsumer progress)
      throws SQLException {
    return PartitionPool.over(
        deployment.shards().partitions(),
        progress,
        numbers -> {
          try (var checks = new PartitionChecks(snapshots)) {
            numbers.each(checks::partition);
            return checks;
          }
        },
        PartitionChecks::add);
  }

  /** Those that are complete. */
  private static List<IndexFile> indexes(Snapshot snapshot, Pools pools) throws SQLException {
    return new IndexCatalog(snapshot.topology(), pools)
        .look().stream()
            .filter(IndexVersion::isComplete)
            .map(v -> new IndexFile(v.definition()))
            .toList();
  }
}
