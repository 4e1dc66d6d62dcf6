package io.cellmesh.cli.verify;

import io.cellmesh.cli.deployment.DataCenter;
import io.cellmesh.cli.deployment.Deployment;
import io.cellmesh.cli.deployment.IndexFile;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexCatalog;
import io.cellmesh.storage.index.IndexVersion;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Runs all checks over all data centres. Nothing should be written meanwhile. */
public final class Verifier {
  /** A checksum over a large shard takes longer than any request of a user's may. */
  private static final MySqlOptions PATIENT =
      new MySqlOptions(
          Duration.ofSeconds(5),
          Duration.ofMinutes(10),
          Duration.ofSeconds(5),
          Duration.ofMinutes(10),
          MySqlOptions.DEFAULT.poolSize());

  private final Deployment deployment;

  public Verifier(Deployment deployment) {
    this.deployment = deployment;
  }

  /**
   * Reads everything once.
   *
   * @param progress called with the number of partitions done
   */
  public Verification run(LongConsumer progress) throws SQLException {
    long start = System.nanoTime();
    try (var pools = new Pools(deployment.credentials(), PATIENT)) {
      var snapshots = new ArrayList<Snapshot>();
      try {
        for (var datacenter : deployment.datacenters()) {
          snapshots.add(new Snapshot(datacenter, pools));
        }
        var results = check(snapshots, pools, progress);
        boolean moved = snapshots.stream().anyMatch(Snapshot::hasMoved);
        return new Verification(results, moved, Duration.ofNanos(System.nanoTime() - start));
      } finally {
        snapshots.forEach(Snapshot::close);
      }
    }
  }

  private List<CheckResult> check(List<Snapshot> snapshots, Pools pools, LongConsumer progress)
      throws SQLException {
    var checks = new ArrayList<DataCenterChecks>();
    for (var snapshot : snapshots) {
      checks.add(new DataCenterChecks(snapshot, indexes(snapshot, pools)));
    }
    var mesh = meshTallies();
    for (int partition = 0; partition < deployment.shards().partitions(); partition++) {
      var entities = new ArrayList<Entities>();
      for (var check : checks) {
        entities.add(check.partition(partition));
      }
      compareMesh(mesh, entities);
      progress.accept(partition + 1L);
    }
    var results = new ArrayList<CheckResult>();
    for (var check : checks) {
      check.minions();
      check.indexes();
      results.addAll(check.results());
    }
    mesh.forEach(link -> results.add(link.tally.result()));
    return results;
  }

  /** Those that are complete. */
  private static List<IndexFile> indexes(Snapshot snapshot, Pools pools) throws SQLException {
    return new IndexCatalog(snapshot.topology(), pools)
        .look().stream()
            .filter(IndexVersion::isComplete)
            .map(v -> new IndexFile(v.definition(), v.definition().toYaml()))
            .toList();
  }

  private List<Link> meshTallies() {
    var links = new ArrayList<Link>();
    var names = deployment.datacenters().stream().map(DataCenter::name).toList();
    for (int from = 0; from < names.size(); from++) {
      for (int to = 0; to < names.size(); to++) {
        if (from != to) {
          links.add(new Link(from, to, MeshCheck.tally(names.get(from), names.get(to))));
        }
      }
    }
    return links;
  }

  private void compareMesh(List<Link> mesh, List<Entities> entities) {
    for (var link : mesh) {
      var origin = deployment.datacenters().get(link.from).name();
      new MeshCheck(link.tally, origin).compare(entities.get(link.from), entities.get(link.to));
    }
  }

  private record Link(int from, int to, Tally tally) {}
}
